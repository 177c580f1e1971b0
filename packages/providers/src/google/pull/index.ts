export { GOOGLE_PULL } from './adapter.js';
export { PULLED_SERIES, PULLED_WORKOUT_FIELDS } from './pulled.js';
export { sessionsFrom } from './read-points.js';
