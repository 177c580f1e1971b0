const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

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
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return 'too_deep';
      if (++values > MAX_VALUES) return 'too_many_values';
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    else if (byte === COMMA && ++values > MAX_VALUES) return 'too_many_values';
  }
  return undefined;
}
