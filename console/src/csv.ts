import { saveFile } from './save-file.js';

/** `+01:00`, which no spreadsheet computes. */
const OFFSET = /^[+-]\d\d:\d\d$/;

/** Rows as CSV (RFC 4180); a cell that a spreadsheet would take for a formula is quoted as text. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) && !OFFSET.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Has the browser save rows as a CSV file. */
export function saveCsv(name: string, rows: Parameters<typeof csvOf>[0]): void {
  saveFile(new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }), name);
}
