export { type PayloadInstant, parseInstant, parseUtcSeconds } from './instants.js';
export { idOf, isObject, numberOf, type PayloadObject, textOf } from './payload-values.js';
export { type PayloadOf, readPayload } from './read-payload.js';
