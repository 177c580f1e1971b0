import { Instant } from './instant.js';
import { plainText, textWidth, truncate } from './text-width.js';

/** Value of a table cell. */
export type Cell = string | number | Instant | null | undefined;

/** One column of a table. */
export interface Column<T> {
  header: string;
  cell(row: T): Cell;
  /** Right for numbers. */
  align?: 'left' | 'right';
  /** Minimum width if the terminal is too narrow. Not truncated if undefined. */
  shrinkTo?: number;
  /** True for values that the next command needs, such as an id: never truncated or dropped. */
  keep?: true;
}

const GAP = '  ';
/** Text of an empty cell. */
const UNKNOWN = '–';

export interface TableOptions {
  /** Terminal width in columns. Undefined if text must not be truncated. */
  width?: number;
  /** True to show instants in UTC instead of the reader's time zone. */
  utc?: boolean;
  /** Formats the header so that it stands out. */
  heading?(text: string): string;
}

/** Formats rows as a table that ends with a line break. Drops the last columns if the table is too wide. */
export function renderTable<T>(columns: readonly Column<T>[], rows: readonly T[], options: TableOptions = {}): string {
  const laid = columns.map((column) => {
    const cells = rows.map((row) => cellText(column.cell(row), options.utc));
    const width = cells.reduce((widest, cell) => Math.max(widest, textWidth(cell)), textWidth(column.header));
    return { column, cells, width };
  });
  const shown = options.width === undefined ? laid : fitted(laid, options.width);
  const line = (textOf: (one: (typeof shown)[number]) => string) =>
    shown
      .map((one) => pad(truncate(textOf(one), one.width), one.width, one.column.align))
      .join(GAP)
      .trimEnd();
  const heading = options.heading ?? ((text) => text);
  const body = rows.map((_, index) => line(({ cells }) => cells[index] ?? ''));
  return [heading(line(({ column }) => column.header)), ...body].map((text) => `${text}\n`).join('');
}

/** Formats one object as two columns: name and value. */
export function renderPairs(pairs: readonly (readonly [string, Cell])[], options: { utc?: boolean } = {}): string {
  const width = pairs.reduce((widest, [name]) => Math.max(widest, textWidth(name)), 0);
  return pairs.map(([name, value]) => `${pad(name, width)}${GAP}${cellText(value, options.utc)}\n`).join('');
}

function cellText(value: Cell, isUtc?: boolean): string {
  if (value instanceof Instant) return value.text(isUtc);
  return value === null || value === undefined || value === '' ? UNKNOWN : plainText(String(value));
}

interface LaidColumn<T> {
  column: Column<T>;
  cells: readonly string[];
  width: number;
}

/**
 * Returns the columns that fit. Truncates shrinkable columns first, then drops the last columns that are not marked
 * `keep`.
 */
function fitted<T>(laid: readonly LaidColumn<T>[], available: number): LaidColumn<T>[] {
  let columns = [...laid];
  for (;;) {
    const least = columns.reduce(
      (sum, { column, width }) => sum + Math.min(width, column.keep ? width : (column.shrinkTo ?? width)),
      GAP.length * (columns.length - 1),
    );
    const last = columns.findLastIndex(({ column }, index) => index > 0 && !column.keep);
    if (least <= available || last < 0) return shrinkColumns(columns, available);
    columns = columns.toSpliced(last, 1);
  }
}

/** Shrinks the shrinkable columns, the widest first, by the missing width. */
function shrinkColumns<T>(laid: readonly LaidColumn<T>[], available: number): LaidColumn<T>[] {
  const columns = laid.map((one) => ({ ...one }));
  let excess = columns.reduce((sum, { width }) => sum + width, 0) + GAP.length * (columns.length - 1) - available;
  while (excess > 0) {
    const room = ({ column, width }: LaidColumn<T>) =>
      column.keep ? 0 : width - (column.shrinkTo ?? Number.POSITIVE_INFINITY);
    const widest = columns.filter((one) => room(one) > 0).toSorted((a, b) => b.width - a.width)[0];
    if (!widest) break;
    widest.width -= 1;
    excess -= 1;
  }
  return columns;
}

function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const fill = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'right' ? fill + text : text + fill;
}
