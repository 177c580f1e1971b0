export * from './answer-route.js';
export * from './answers.js';
export * from './app.js';
export * from './binding.js';
export * from './openapi.js';
