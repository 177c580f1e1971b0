import { dayStartMs, MS_PER_DAY } from '@healthd/model';
import { type ProviderConfiguration, type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { requireAtMost } from '../../rest/index.js';
import { NOT_SUBSCRIBED } from '../read-error.js';
import type { DayRange } from '../records/daily-statistics.js';

/** URLs of daily statistics, which differ by the application's age. */
const PLACES = ['/247samples/daily-activity-statistics', '/247/daily-activity-statistics'] as const;
/** Maximum number of records: about one record every four minutes for 28 days. */
const MAX_RECORDS = 10_000;
const REMEMBERED_MS = MS_PER_DAY;

/** Last URL that worked, by application, with a monotonic time. */
const known = new WeakMap<ProviderConfiguration, { path: string; sinceMs: number }>();

/** Returns the URLs to try. The URL that worked during the last day is first. */
function statisticsPlaces(application: ProviderConfiguration): readonly string[] {
  const found = known.get(application);
  if (found === undefined || performance.now() - found.sinceMs >= REMEMBERED_MS) return PLACES;
  return [found.path, ...PLACES.filter((path) => path !== found.path)];
}

/** Remembers the URL that worked. */
function foundStatistics(application: ProviderConfiguration, path: string): void {
  if (statisticsPlaces(application)[0] !== path) known.set(application, { path, sinceMs: performance.now() });
}

/** Reads records of one type. Both ends of the range are inclusive. @throws VendorError */
export async function readSamples(
  api: VendorApi,
  kind: 'sleep' | 'activity' | 'recovery',
  { startMs, endMs }: TimeRange,
): Promise<unknown[]> {
  const query = { from: Math.floor(startMs), to: Math.ceil(endMs) };
  return listOf(await api.call({ path: `/247samples/${kind}`, query }));
}

/**
 * Reads daily totals in any time zone, including adjacent days.
 * @throws VendorError, `scope_missing` if neither URL has them
 */
export async function readStatistics(
  api: VendorApi,
  application: ProviderConfiguration,
  { firstDay, endDay }: DayRange,
): Promise<unknown[]> {
  // The vendor rejects some offset formats, so the times are UTC without an offset.
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
  // Both URLs reported that the application lacks the product, so no further request is needed to find this out.
  throw new VendorError({ code: 'scope_missing', status, reason: NOT_SUBSCRIBED });
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** An empty response has no records. */
function listOf(response: unknown): unknown[] {
  if (response === undefined || response === null) return [];
  if (Array.isArray(response)) {
    requireAtMost(MAX_RECORDS, response.length);
    return response;
  }
  throw new VendorError({ code: 'invalid_answer', reason: 'samples' });
}
