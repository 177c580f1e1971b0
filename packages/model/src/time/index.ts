export * from './intervals.js';
export * from './local-date.js';
export * from './minute-bitmap.js';
export * from './near-times.js';
export * from './offset.js';
export * from './units.js';
export * from './zone-offset.js';
