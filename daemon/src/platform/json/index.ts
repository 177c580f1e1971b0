export { MAX_DEPTH, MAX_VALUES } from './check-structure.js';
export { type ParsedJson, parseJson } from './parse-json.js';
