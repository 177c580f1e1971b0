import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, JsonTokens, MORE, OPEN_ARRAY, OPEN_OBJECT } from './json-tokens.js';

/** Levels of arrays and objects at most; what the service takes has five. */
export const MAX_DEPTH = 32;
/** Values at most: ten thousand changes in one delivery hold 140,000, a text of two megabytes could hold a million. */
export const MAX_VALUES = 200_000;

export type StructureFault = 'too_deep' | 'too_many_values';

/**
 * Looks at the brackets and commas of a text of JSON before it is parsed: five million brackets within each other take
 * the parser seconds, and a value of a million parts the code that works with it. What else is wrong is left to the
 * parser.
 */
export function checkStructure(text: Uint8Array): StructureFault | undefined {
  const tokens = new JsonTokens();
  tokens.skim = true;
  tokens.feed(text);
  let depth = 0;
  let values = 1;
  for (let token = tokens.next(); token !== MORE; token = tokens.next()) {
    if (token === OPEN_ARRAY || token === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return 'too_deep';
      if (++values > MAX_VALUES) return 'too_many_values';
    } else if (token === CLOSE_ARRAY || token === CLOSE_OBJECT) depth--;
    else if (token === COMMA && ++values > MAX_VALUES) return 'too_many_values';
  }
  return undefined;
}
