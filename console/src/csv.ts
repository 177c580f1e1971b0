import { saveFile } from './save-file.js';

const TYPE = { type: 'text/csv;charset=utf-8' };

/** UTC offset, such as `+01:00`. Spreadsheets do not treat it as a formula. */
const OFFSET = /^[+-]\d\d:\d\d$/;

type CsvRow = readonly (string | number | null)[];

/** Formats rows as CSV (RFC 4180). Prefixes texts that a spreadsheet would treat as formulas with an apostrophe. */
export function csvOf(rows: readonly CsvRow[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) && !OFFSET.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Saves rows as a CSV file in the browser. */
export function saveCsv(name: string, rows: readonly CsvRow[]): void {
  saveFile(new Blob([csvOf(rows)], TYPE), name);
}

/** CSV file that grows page by page. The browser stores long files outside the page's memory. */
export class CsvFile {
  #parts: Blob[];
  #count = 0;

  constructor(columns: readonly string[]) {
    this.#parts = [new Blob([csvOf([columns])])];
  }

  /** Number of added rows. */
  get count(): number {
    return this.#count;
  }

  add(rows: readonly CsvRow[]): void {
    this.#parts.push(new Blob([csvOf(rows)]));
    this.#count += rows.length;
  }

  save(name: string): void {
    saveFile(new Blob(this.#parts, TYPE), name);
  }
}
