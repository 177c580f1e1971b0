export * from './apple/index.js';
