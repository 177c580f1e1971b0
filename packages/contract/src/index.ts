export * from './body-limit.js';
export * from './declared-route.js';
export * from './route.js';
export * from './routes/index.js';
export * from './tags.js';
export * from './version.js';
