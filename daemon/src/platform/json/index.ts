export { MAX_DEPTH, MAX_VALUES } from './check-structure.js';
export * from './json-tokens.js';
export { type ParsedJson, parseJson } from './parse-json.js';
