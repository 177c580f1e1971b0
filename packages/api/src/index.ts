export * from './envelope.js';
export * from './parameters.js';
export * from './problem.js';
export * from './route.js';
export * from './routes/reading.js';
