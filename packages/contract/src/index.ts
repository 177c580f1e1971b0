export * from './body-limit.js';
export * from './declared-route.js';
export * from './route.js';
export * from './routes.js';
export * from './version.js';
export * from './words.js';
