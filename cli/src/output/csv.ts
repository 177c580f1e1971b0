/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** An offset from UTC begins like a formula and is none; programs that read the line need it as it is. */
const OFFSET = /^[+-]\d\d:\d\d$/;

/**
 * One line of CSV (RFC 4180 quoting). A text that a spreadsheet would run as a formula is led by an apostrophe;
 * numbers are left alone. Objects and lists are written as JSON.
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
