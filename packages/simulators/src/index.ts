export * from './apple-export/index.js';
