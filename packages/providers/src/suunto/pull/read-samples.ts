import { dayStartMs, MS_PER_DAY } from '@healthd/model';
import { type ProviderConfiguration, type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { NOT_SUBSCRIBED } from '../read-error.js';
import type { DayRange } from '../records/daily-statistics.js';

/** Where the statistics of days are: applications of different age have them in different places. */
const PLACES = ['/247samples/daily-activity-statistics', '/247/daily-activity-statistics'] as const;
const REMEMBERED_MS = MS_PER_DAY;

/** By application, since when by a clock that only goes forward. */
const known = new WeakMap<ProviderConfiguration, { path: string; sinceMs: number }>();

/** Where to look, in this order: first where they were found during the last day. */
function statisticsPlaces(application: ProviderConfiguration): readonly string[] {
  const found = known.get(application);
  if (found === undefined || performance.now() - found.sinceMs >= REMEMBERED_MS) return PLACES;
  return [found.path, ...PLACES.filter((path) => path !== found.path)];
}

/** Remembers where they were found. */
function foundStatistics(application: ProviderConfiguration, path: string): void {
  if (statisticsPlaces(application)[0] !== path) known.set(application, { path, sinceMs: performance.now() });
}

/** Reads records of one kind. Both ends belong to the range. @throws VendorError */
export async function readSamples(
  api: VendorApi,
  kind: 'sleep' | 'activity' | 'recovery',
  { startMs, endMs }: TimeRange,
): Promise<unknown[]> {
  const query = { from: Math.floor(startMs), to: Math.ceil(endMs) };
  return listOf(await api.call({ path: `/247samples/${kind}`, query }));
}

/**
 * Reads totals of days on any clock, those of the days beside them included.
 * @throws VendorError, `scope_missing` where neither place has them
 */
export async function readStatistics(
  api: VendorApi,
  application: ProviderConfiguration,
  { firstDay, endDay }: DayRange,
): Promise<unknown[]> {
  // The vendor refuses some forms of offsets: the times are UTC, without one.
  const query = { startdate: timeOf(dayStartMs(firstDay) - MS_PER_DAY), enddate: timeOf(dayStartMs(endDay)) };
  let status: number | undefined;
  for (const path of statisticsPlaces(application)) {
    try {
      const statistics = listOf(await api.call({ path, query }));
      foundStatistics(application, path);
      return statistics;
    } catch (error) {
      if (!(error instanceof VendorError) || (error.code !== 'not_found' && error.reason !== NOT_SUBSCRIBED))
        throw error;
      status = error.status;
    }
  }
  // Both places say so: another product need not be asked, which would take a request more.
  throw new VendorError({ code: 'scope_missing', status, reason: NOT_SUBSCRIBED });
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** An empty answer has no records. */
function listOf(answer: unknown): unknown[] {
  if (answer === undefined || answer === null) return [];
  if (Array.isArray(answer)) return answer;
  throw new VendorError({ code: 'invalid_answer', reason: 'samples' });
}
