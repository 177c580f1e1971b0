export { WHOOP_PULL } from './adapter.js';
export { PULLED_SERIES } from './data-types.js';
