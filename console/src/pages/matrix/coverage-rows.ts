import type { Coverage } from '@healthd/schemas';
import { humanize } from '../../format.js';
import { unitName } from '../../units.js';

/** Metric or field and its providers. */
export interface CoverageRow {
  /** Group heading. */
  group: string;
  code: string;
  /** Null for fields without a unit. */
  unit: string | null;
  providers: readonly string[];
}

/** Returns all rows of the coverage, group by group. */
export function coverageRows(coverage: Coverage): CoverageRow[] {
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
export function matches({ group, code, unit }: CoverageRow, search: string): boolean {
  const text = `${group} ${code} ${humanize(code)} ${unit ?? ''} ${unitName(unit ?? '')}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
