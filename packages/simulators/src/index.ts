export * from './apple-export/index.js';
export * from './google/index.js';
export * from './whoop/index.js';
