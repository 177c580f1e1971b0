import type { ImportChanges, SyncRun } from '@healthd/schemas';
import { type Column, renderTable, type TableOptions } from '../output/table.js';
import { countText, numberText } from '../ui/amounts.js';
import { countsOf, recordOf } from './metadata.js';

/** Maximum number of readable rows. Above it, months with only new data share a row. */
const ROWS_IN_FULL = 40;

/** Numbers of rows that are new, changed, or removed because the file lacks them. */
type Counts = ImportChanges[string][string];

interface ChangeRow extends Counts {
  series: string;
  firstMonth: string;
  lastMonth: string;
}

/** Returns the changes of an import or dry run, by series and month. Undefined if the run does not report them. */
export function changesOf({ metadata }: Pick<SyncRun, 'metadata'>): ImportChanges | undefined {
  const { changes } = recordOf(metadata.report);
  if (changes === undefined) return undefined;
  return mapped(changes, (months) =>
    mapped(months, (counts) => ({ new: 0, changed: 0, gone: 0, ...countsOf(counts) })),
  );
}

function mapped<T>(value: unknown, change: (member: unknown) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(recordOf(value)).map(([name, member]) => [name, change(member)]));
}

/** Returns the sums over all series and months. */
export function changeTotals(changes: ImportChanges): Counts {
  const total = { new: 0, changed: 0, gone: 0 };
  for (const row of rowsOf(changes)) {
    total.new += row.new;
    total.changed += row.changed;
    total.gone += row.gone;
  }
  return total;
}

/** Formats `12 new, 0 changed, 3 removed`. */
export function changeText({ new: fresh, changed, gone }: Counts): string {
  return `${numberText(fresh)} new, ${numberText(changed)} changed, ${numberText(gone)} removed`;
}

/** Formats a table of changes. Empty without changes. Months with changed or removed data always have their own row. */
export function changeTable(changes: ImportChanges, options: TableOptions): string {
  const rows = rowsOf(changes);
  if (rows.length === 0) return '';
  if (rows.length <= ROWS_IN_FULL) return renderTable(COLUMNS, rows, options);
  const joined = joinNew(rows);
  const hidden = rows.length - joined.length;
  const note =
    hidden > 0 ? `${countText(hidden, 'row')} with only new data are combined; --json lists every month.\n` : '';
  return renderTable(COLUMNS, joined, options) + note;
}

const COLUMNS: readonly Column<ChangeRow>[] = [
  { header: 'Series', cell: ({ series }) => series.replaceAll('_', ' '), shrinkTo: 12 },
  {
    header: 'Month',
    cell: ({ firstMonth, lastMonth }) => (firstMonth === lastMonth ? firstMonth : `${firstMonth} to ${lastMonth}`),
  },
  { header: 'New', cell: (row) => numberText(row.new), align: 'right' },
  { header: 'Changed', cell: (row) => numberText(row.changed), align: 'right' },
  { header: 'Removed', cell: (row) => numberText(row.gone), align: 'right' },
];

/** Returns rows sorted by series and month, because the database does not keep the order of JSON members. */
function rowsOf(changes: ImportChanges): ChangeRow[] {
  const ordered = <T>(entries: Record<string, T>) => Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return ordered(changes).flatMap(([series, months]) =>
    ordered(months).map(([month, counts]) => ({ series, firstMonth: month, lastMonth: month, ...counts })),
  );
}

/** Combines consecutive rows that contain only new data. */
function joinNew(rows: readonly ChangeRow[]): ChangeRow[] {
  const isNew = ({ changed, gone }: ChangeRow) => changed === 0 && gone === 0;
  const joined: ChangeRow[] = [];
  for (const row of rows) {
    const before = joined.at(-1);
    if (before?.series === row.series && isNew(before) && isNew(row)) {
      before.lastMonth = row.lastMonth;
      before.new += row.new;
    } else joined.push({ ...row });
  }
  return joined;
}
