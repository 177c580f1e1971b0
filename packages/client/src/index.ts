export * from './attribution.js';
export * from './client.js';
export * from './errors.js';
export * from './event-stream.js';
