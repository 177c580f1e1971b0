import { checkStructure, type StructureFault } from './check-structure.js';

/** A parsed value, or the problem with its text. Never repeats the text. */
export type ParsedJson = { value: unknown } | { fault: 'invalid' | StructureFault };

/** Parses JSON in UTF-8, with or without a byte order mark, if its structure is within the limits. */
export function readJson(text: Uint8Array): ParsedJson {
  const fault = checkStructure(text);
  if (fault) return { fault };
  try {
    return { value: JSON.parse(new TextDecoder().decode(text)) };
  } catch {
    return { fault: 'invalid' };
  }
}
