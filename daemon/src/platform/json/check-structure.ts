import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, JsonTokens, MORE, OPEN_ARRAY, OPEN_OBJECT } from './json-tokens.js';

/** Maximum nesting of arrays and objects; the service's data has five levels. */
export const MAX_DEPTH = 32;
/**
 * Maximum number of values. A delivery with ten thousand changes has 140,000 values, but a text of two megabytes could
 * have a million.
 */
export const MAX_VALUES = 200_000;

export type StructureFault = 'too_deep' | 'too_many_values';

/**
 * Checks the brackets and commas of a JSON text before it is parsed. Five million nested brackets take the parser
 * seconds, and a value of a million parts slows down the code that uses it. Leaves all other errors to the parser.
 * @returns the violated limit; undefined if no limit is violated
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
