/** Characters that start a formula in a spreadsheet. */
const FORMULA = /^[=+\-@\t\r]/;
/** UTC offsets start like a formula. They stay unchanged, because programs parse them. */
const OFFSET = /^[+-]\d\d:\d\d$/;

/**
 * Formats one CSV line (RFC 4180 quoting). Prefixes text that a spreadsheet would run as a formula with an apostrophe.
 * Writes objects and lists as JSON.
 */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) && !OFFSET.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
