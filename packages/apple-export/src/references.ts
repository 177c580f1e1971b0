import { ExportError } from './errors.js';

const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const REFERENCE = /&([^;]{0,12});?/g;
// Some exports contain control characters in names that users typed. XML forbids them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern matches control characters
const CONTROL = /[\u0000-\u001f]/g;

/**
 * Decodes attribute text: resolves the five predefined entities and numeric references, and replaces control characters
 * by a space. Never expands entities of a document type.
 * @throws ExportError `entity_undefined`, `xml_malformed`
 */
export function decodeText(raw: string): string {
  const resolved = raw.includes('&') ? raw.replace(REFERENCE, resolveReference) : raw;
  return resolved.replace(CONTROL, ' ');
}

function resolveReference(whole: string, name: string): string {
  if (!whole.endsWith(';')) throw new ExportError('xml_malformed');
  const numeric = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
  if (numeric) {
    const code = numeric[1] === undefined ? Number(numeric[2]) : Number.parseInt(numeric[1], 16);
    const valid = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return valid ? String.fromCodePoint(code) : '\ufffd';
  }
  const character = Object.hasOwn(PREDEFINED, name) ? PREDEFINED[name] : undefined;
  if (character === undefined) throw new ExportError('entity_undefined');
  return character;
}
