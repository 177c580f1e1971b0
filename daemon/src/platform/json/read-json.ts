import { checkStructure, type StructureFault } from './check-structure.js';

/** A value, or what is wrong with its text; nothing of the text is repeated. */
export type ParsedJson = { value: unknown } | { fault: 'invalid' | StructureFault };

/** Parses a text of JSON in UTF-8, with or without a byte order mark, whose structure is within its limits. */
export function readJson(text: Uint8Array): ParsedJson {
  const fault = checkStructure(text);
  if (fault) return { fault };
  try {
    return { value: JSON.parse(new TextDecoder().decode(text)) };
  } catch {
    return { fault: 'invalid' };
  }
}
