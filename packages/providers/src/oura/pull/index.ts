export { OURA_PULL } from './adapter.js';
export { PULLED_SCORES, PULLED_SERIES } from './data-types.js';
