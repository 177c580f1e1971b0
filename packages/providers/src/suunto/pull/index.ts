export { configuredPull, SUUNTO_PULL } from './adapter.js';
export { askWorkouts, payloadOf, WORKOUTS, WORKOUTS_PER_PAGE } from './read-workouts.js';
