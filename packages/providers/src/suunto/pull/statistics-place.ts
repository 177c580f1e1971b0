import { MS_PER_DAY } from '@healthd/model';
import type { ProviderConfiguration } from '../../cloud/index.js';

/** Where the statistics of days are: applications of different age have them in different places. */
const PLACES = ['/247samples/daily-activity-statistics', '/247/daily-activity-statistics'] as const;
const REMEMBERED_MS = MS_PER_DAY;

/** By application, since when by a clock that only goes forward. */
const known = new WeakMap<ProviderConfiguration, { path: string; sinceMs: number }>();

/** Where to look, in this order: first where they were found during the last day. */
export function statisticsPlaces(application: ProviderConfiguration): readonly string[] {
  const found = known.get(application);
  if (found === undefined || performance.now() - found.sinceMs >= REMEMBERED_MS) return PLACES;
  return [found.path, ...PLACES.filter((path) => path !== found.path)];
}

/** Remembers where they were found. */
export function foundStatistics(application: ProviderConfiguration, path: string): void {
  if (statisticsPlaces(application)[0] !== path) known.set(application, { path, sinceMs: performance.now() });
}
