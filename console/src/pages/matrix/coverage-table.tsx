import type { Coverage } from '@healthd/schemas';
import {
  columnFilteringFeature,
  columnGroupingFeature,
  createColumnHelper,
  createFilteredRowModel,
  createGroupedRowModel,
  globalFilteringFeature,
  metaHelper,
  type ReactTable,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { Check } from 'lucide-react';
import { useMemo } from 'react';
import { providerName } from '../../components/provider-name.js';
import { humanize } from '../../format.js';
import { unitName } from '../../units.js';

/** Cell style of a column. */
interface CellLook {
  className: string;
}

const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  columnGroupingFeature,
  filteredRowModel: createFilteredRowModel(),
  groupedRowModel: createGroupedRowModel(),
  columnMeta: metaHelper<CellLook>(),
});

/** Coverage table: metrics as rows, providers as columns. */
export type CoverageTable = ReactTable<typeof features, CoverageRow>;

const column = createColumnHelper<typeof features, CoverageRow>();

/** Column ids are the CSV headings. */
function columnsOf(providers: readonly string[]) {
  return column.columns([
    column.accessor('group', {}),
    column.accessor(({ code }) => code, {
      id: 'metric',
      header: 'Metric',
      cell: ({ getValue }) => humanize(getValue()),
    }),
    column.accessor('unit', {
      header: 'Unit',
      meta: { className: 'muted' },
      cell: ({ row: { original } }) => (original.unit === null ? '–' : unitName(original.unit)),
    }),
    ...providers.map((provider) =>
      column.accessor((row) => row.providers.includes(provider), {
        id: provider,
        header: providerName(provider),
        meta: { className: 'mark' },
        filterFn: (row, id, value) => row.getValue(id) === value,
        cell: ({ getValue }) => <Mark isThere={getValue()} />,
      }),
    ),
  ]);
}

function Mark({ isThere }: { isThere: boolean }) {
  if (!isThere) return <span className="unseen">no</span>;
  return <Check className="icon good-ink" role="img" aria-label="yes" />;
}

/**
 * Returns the searched and filtered coverage.
 * @param providers providers that must all deliver a metric
 */
export function useCoverageTable(coverage: Coverage, search: string, providers: readonly string[]): CoverageTable {
  const data = useMemo(() => coverageRows(coverage), [coverage]);
  const columns = useMemo(() => columnsOf(coverage.providers), [coverage]);
  return useTable<typeof features, CoverageRow>({
    features,
    columns,
    data,
    groupedColumnMode: 'remove',
    getColumnCanGlobalFilter: ({ id }) => id === 'metric',
    globalFilterFn: (row, _column, words) => matches(row.original, String(words)),
    state: {
      grouping: ['group'],
      globalFilter: search.trim(),
      columnFilters: coverage.providers.filter((id) => providers.includes(id)).map((id) => ({ id, value: true })),
    },
  });
}

/** Returns the matching rows as text cells, with a heading row. */
export function coverageCsv(table: CoverageTable): (string | null)[][] {
  const ids = table.getAllLeafColumns().map(({ id }) => id);
  const rows = table
    .getFilteredRowModel()
    .rows.map((row) => [row.original.group, ...ids.map((id) => textOf(row.getValue(id)))]);
  return [['group', ...ids], ...rows];
}

function textOf(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : '';
  return value === null ? null : String(value);
}

/** Metric or field and its providers. */
interface CoverageRow {
  /** Group heading. */
  group: string;
  code: string;
  /** Null for fields without a unit. */
  unit: string | null;
  providers: readonly string[];
}

/** Returns all rows of the coverage, group by group. */
function coverageRows(coverage: Coverage): CoverageRow[] {
  const fields = (group: string, list: Coverage['sleep_fields']): CoverageRow[] =>
    list.map(({ code, providers }) => ({ group, code, unit: null, providers }));
  const metrics: CoverageRow[] = coverage.timeseries.flatMap(({ name, metrics: list }) =>
    list.map(({ code, unit, providers }) => ({ group: humanize(name), code, unit, providers })),
  );
  return metrics.concat(
    fields('Sleep', coverage.sleep_fields),
    fields('Workouts', coverage.workout_fields),
    fields('Menstrual cycle', coverage.menstrual_cycle_fields),
    fields('Health scores', coverage.health_scores),
  );
}

/** True if the row's group, code, name or unit contain all words of the search. */
function matches({ group, code, unit }: CoverageRow, search: string): boolean {
  const text = `${group} ${code} ${humanize(code)} ${unit ?? ''} ${unitName(unit ?? '')}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
