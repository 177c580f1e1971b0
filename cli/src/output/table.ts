import { plainText, textWidth, truncate } from './text-width.js';

/** One column of a table for people. */
export interface Column<T> {
  header: string;
  cell(row: T): string | number | null | undefined;
  /** Numbers are at the right. */
  align?: 'left' | 'right';
  /** May be cut when the terminal is too narrow, down to this many columns. */
  shrinkTo?: number;
}

const GAP = '  ';
/** What is in a table where nothing is known. */
const UNKNOWN = '–';

export interface TableOptions {
  /** Columns of the terminal; undefined where nothing may be cut. */
  width?: number;
  /** Makes the header stand out. */
  heading?(text: string): string;
}

/** Lays rows out as a table; the last line ends with a line break. */
export function renderTable<T>(columns: readonly Column<T>[], rows: readonly T[], options: TableOptions = {}): string {
  const cells = rows.map((row) => columns.map((column) => cellText(column.cell(row))));
  const widths = columns.map((column, index) =>
    cells.reduce((widest, row) => Math.max(widest, textWidth(row[index] ?? '')), textWidth(column.header)),
  );
  if (options.width !== undefined) shrink(widths, columns, options.width);
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => pad(truncate(text, widths[index] ?? 0), widths[index] ?? 0, columns[index]?.align))
      .join(GAP)
      .trimEnd();
  const header = line(columns.map((column) => column.header));
  const heading = options.heading ?? ((text) => text);
  return [heading(header), ...cells.map(line)].map((text) => `${text}\n`).join('');
}

/** Lays one object out as two columns: name and value. */
export function renderPairs(pairs: readonly (readonly [string, string | number | null | undefined])[]): string {
  const width = pairs.reduce((widest, [name]) => Math.max(widest, textWidth(name)), 0);
  return pairs.map(([name, value]) => `${pad(name, width)}${GAP}${cellText(value)}\n`).join('');
}

function cellText(value: string | number | null | undefined): string {
  return value === null || value === undefined || value === '' ? UNKNOWN : plainText(String(value));
}

/** Takes the missing columns from what may be cut, always from the widest. */
function shrink<T>(widths: number[], columns: readonly Column<T>[], available: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - available;
  while (excess > 0) {
    let widest = -1;
    for (const [index, column] of columns.entries()) {
      const room = (widths[index] ?? 0) - (column.shrinkTo ?? Number.POSITIVE_INFINITY);
      if (room > 0 && (widest < 0 || (widths[index] ?? 0) > (widths[widest] ?? 0))) widest = index;
    }
    if (widest < 0) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
}

function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const fill = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'right' ? fill + text : text + fill;
}
