import { SERIES_CATEGORIES, SERIES_TYPES, type SeriesCode } from '@healthd/model';
import type { Coverage } from '@healthd/schemas';

/** Declared coverage of one provider, with the codes of responses. */
export interface DeclaredCoverage {
  provider: string;
  series: readonly SeriesCode[];
  workoutFields: readonly string[];
  sleepFields: readonly string[];
  menstrualCycleFields: readonly string[];
  healthScores: readonly string[];
}

/**
 * Returns the coverage matrix. Groups have a fixed order; everything else is alphabetical. Omits items that no provider
 * supplies.
 */
export function coverageMatrix(declared: readonly DeclaredCoverage[]): Coverage {
  const providers = [...new Set(declared.map(({ provider }) => provider))].sort();
  const suppliers = (codesOf: (one: DeclaredCoverage) => readonly string[], code: string) =>
    providers.filter((provider) => declared.some((one) => one.provider === provider && codesOf(one).includes(code)));
  const fields = (codesOf: (one: DeclaredCoverage) => readonly string[]) =>
    [...new Set(declared.flatMap(codesOf))].sort().map((code) => ({ code, providers: suppliers(codesOf, code) }));
  const timeseries = SERIES_CATEGORIES.map((name) => ({
    name,
    metrics: SERIES_TYPES.filter((type) => type.category === name)
      .map(({ code, unit }) => ({ code, unit, providers: suppliers((one) => one.series, code) }))
      .filter((metric) => metric.providers.length > 0)
      .sort((a, b) => (a.code < b.code ? -1 : 1)),
  })).filter((group) => group.metrics.length > 0);
  return {
    providers,
    timeseries,
    workout_fields: fields((one) => one.workoutFields),
    sleep_fields: fields((one) => one.sleepFields),
    menstrual_cycle_fields: fields((one) => one.menstrualCycleFields),
    health_scores: fields((one) => one.healthScores),
  };
}
