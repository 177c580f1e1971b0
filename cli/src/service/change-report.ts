import type { ImportChanges, SyncRun } from '@healthd/schemas';
import { type Column, renderTable, type TableOptions } from '../output/table.js';
import { countText, numberText } from '../ui/amounts.js';
import { countsOf, recordOf } from './metadata.js';

/** More rows than this are too many to read: months of which everything is new then share a row. */
const ROWS_IN_FULL = 40;

/** Stored rows that are not there yet, are there otherwise, and go because the file lacks them. */
type Counts = ImportChanges[string][string];

interface ChangeRow extends Counts {
  series: string;
  firstMonth: string;
  lastMonth: string;
}

/** What an import changed, or would, by series and month; undefined for runs that do not report it. */
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

/** Sums over all series and months. */
export function changeTotals(changes: ImportChanges): Counts {
  const total = { new: 0, changed: 0, gone: 0 };
  for (const row of rowsOf(changes)) {
    total.new += row.new;
    total.changed += row.changed;
    total.gone += row.gone;
  }
  return total;
}

/** `12 new, 0 changed, 3 gone` */
export function changeText({ new: fresh, changed, gone }: Counts): string {
  return `${numberText(fresh)} new, ${numberText(changed)} changed, ${numberText(gone)} gone`;
}

/** A table for people; empty where nothing changes. What changes or goes has a row of its own in every month. */
export function changeTable(changes: ImportChanges, options: TableOptions): string {
  const rows = rowsOf(changes);
  if (rows.length === 0) return '';
  if (rows.length <= ROWS_IN_FULL) return renderTable(COLUMNS, rows, options);
  const joined = joinNew(rows);
  const hidden = rows.length - joined.length;
  const note =
    hidden > 0 ? `${countText(hidden, 'row')} of nothing but new data joined; --json has every month.\n` : '';
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
  { header: 'Gone', cell: (row) => numberText(row.gone), align: 'right' },
];

/** In the order of series and months, which the database does not keep. */
function rowsOf(changes: ImportChanges): ChangeRow[] {
  const ordered = <T>(entries: Record<string, T>) => Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return ordered(changes).flatMap(([series, months]) =>
    ordered(months).map(([month, counts]) => ({ series, firstMonth: month, lastMonth: month, ...counts })),
  );
}

/** Rows that follow each other join where all of both is new. */
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
