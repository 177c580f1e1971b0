export * from './api-keys.js';
export * from './sessions.js';
