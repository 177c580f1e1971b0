import { fromDayNumber, MS_PER_HOUR } from '@healthd/model';
import type { TimeRange, VendorApi } from '../../cloud/index.js';
import { filterName, type RecordForm } from './data-type.js';
import { readPages } from './read-pages.js';

/** Operations that return points: every source separately, or the vendor's merged stream. */
export type PointOperation = 'list' | 'reconcile';

const PAGE_SIZE = 10_000;
/** Maximum page size of the vendor for sleep sessions and exercises. */
const SESSION_PAGE_SIZE = 25;
/**
 * Maximum distance of a local time from UTC. Local bounds that are widened by this distance contain the whole range.
 */
const CIVIL_MARGIN_MS = 14 * MS_PER_HOUR;

/** Reads the points that match a filter, page by page. @throws VendorError */
export function readPoints(
  api: VendorApi,
  id: string,
  operation: PointOperation,
  filter: string | undefined,
): AsyncGenerator<readonly unknown[]> {
  const path = `/v4/users/me/dataTypes/${id}/dataPoints${operation === 'reconcile' ? ':reconcile' : ''}`;
  // Always sent, because the real defaults differ from the documented defaults.
  const pageSize = id === 'sleep' || id === 'exercise' ? SESSION_PAGE_SIZE : PAGE_SIZE;
  return readPages(api, 'dataPoints', (pageToken) => ({ path, query: { filter, pageSize, pageToken } }));
}

/** Filters points by start. The vendor filters sessions by local start, so their range is wider. */
export function startFilter(id: string, form: Exclude<RecordForm, 'daily'>, { startMs, endMs }: TimeRange): string {
  const member = {
    interval: 'interval.start_time',
    sample: 'sample_time.physical_time',
    session: 'interval.civil_start_time',
  }[form];
  return form === 'session'
    ? between(`${filterName(id)}.${member}`, civil(startMs - CIVIL_MARGIN_MS), civil(endMs + CIVIL_MARGIN_MS))
    : between(`${filterName(id)}.${member}`, instant(startMs), instant(endMs));
}

/**
 * Filters sessions that start at an instant or later. The vendor compares local starts, so sessions that start up to 28
 * hours earlier may match too.
 */
export function sessionsFrom(id: string, startMs: number): string {
  return `${filterName(id)}.interval.civil_start_time >= "${civil(startMs - CIVIL_MARGIN_MS)}"`;
}

/** Filters sessions by end, which is the only filter that the vendor supports for sleep. */
export function endFilter(id: string, { startMs, endMs }: TimeRange): string {
  return between(`${filterName(id)}.interval.end_time`, instant(startMs), instant(endMs));
}

/** Filters daily values by date. The end is exclusive. */
export function dateFilter(id: string, firstDay: number, endDay: number): string {
  return between(`${filterName(id)}.date`, fromDayNumber(firstDay), fromDayNumber(endDay));
}

function between(member: string, from: string, to: string): string {
  return `${member} >= "${from}" AND ${member} < "${to}"`;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** Formats a local time as if it were UTC, in whole seconds. */
function civil(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
