export * from './local-date.js';
export * from './offset.js';
export * from './units.js';
export * from './zone-offset.js';
