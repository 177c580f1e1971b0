export * from './columns.js';
export * from './devices.js';
export * from './providers.js';
export * from './record.js';
export * from './sleep.js';
export * from './workouts.js';
