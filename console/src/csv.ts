import { saveFile } from './save-file.js';

const TYPE = { type: 'text/csv;charset=utf-8' };

/** `+01:00`, which no spreadsheet computes. */
const OFFSET = /^[+-]\d\d:\d\d$/;

type CsvRow = readonly (string | number | null)[];

/** Rows as CSV (RFC 4180); a cell that a spreadsheet would take for a formula is quoted as text. */
export function csvOf(rows: readonly CsvRow[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) && !OFFSET.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Has the browser save rows as a CSV file. */
export function saveCsv(name: string, rows: readonly CsvRow[]): void {
  saveFile(new Blob([csvOf(rows)], TYPE), name);
}

/** A CSV file that grows page by page; the browser keeps what was added outside the memory of the page where it is long. */
export class CsvFile {
  #parts: Blob[];
  #count = 0;

  constructor(columns: readonly string[]) {
    this.#parts = [new Blob([csvOf([columns])])];
  }

  /** Rows that were added. */
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
