export { ULTRAHUMAN_PULL } from './adapter.js';
export { PULLED_SCORES, PULLED_SERIES } from './metrics.js';
