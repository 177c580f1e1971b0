import type { Coverage } from '@healthd/schemas';
import { humanize } from '../../format.js';
import { unitName } from '../../units.js';

/** One metric or field with the providers that deliver it. */
interface CoverageRow {
  code: string;
  /** Null for fields that have none of their own. */
  unit: string | null;
  providers: readonly string[];
}

export interface CoverageGroup {
  name: string;
  rows: readonly CoverageRow[];
}

/** Everything that any provider delivers, in groups. */
export function coverageGroups(coverage: Coverage): CoverageGroup[] {
  const fields = (name: string, list: Coverage['sleep_fields']): CoverageGroup => ({
    name,
    rows: list.map(({ code, providers }) => ({ code, unit: null, providers })),
  });
  return [
    ...coverage.timeseries.map(({ name, metrics }) => ({ name: humanize(name), rows: metrics })),
    fields('Sleep', coverage.sleep_fields),
    fields('Workouts', coverage.workout_fields),
    fields('Menstrual cycle', coverage.menstrual_cycle_fields),
    fields('Health scores', coverage.health_scores),
  ].filter(({ rows }) => rows.length > 0);
}

/** Rows whose code, name or unit holds the words, and that every one of these providers delivers. */
export function filterGroups(
  groups: readonly CoverageGroup[],
  search: string,
  providers: readonly string[],
): CoverageGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map(({ name, rows }) => ({
      name,
      rows: rows.filter((row) => {
        const text =
          `${name} ${row.code} ${humanize(row.code)} ${row.unit ?? ''} ${unitName(row.unit ?? '')}`.toLowerCase();
        return (
          words.every((word) => text.includes(word)) && providers.every((provider) => row.providers.includes(provider))
        );
      }),
    }))
    .filter(({ rows }) => rows.length > 0);
}

/** The matrix as a table of text, with a heading. */
export function coverageCsv(groups: readonly CoverageGroup[], providers: readonly string[]): (string | null)[][] {
  return [
    ['group', 'metric', 'unit', ...providers],
    ...groups.flatMap(({ name, rows }) =>
      rows.map(({ code, unit, providers: having }) => [
        name,
        code,
        unit,
        ...providers.map((provider) => (having.includes(provider) ? 'yes' : '')),
      ]),
    ),
  ];
}
