import { fromDayNumber, MS_PER_HOUR } from '@healthd/model';
import type { TimeRange, VendorApi } from '../../cloud/index.js';
import { filterName, type RecordForm } from './data-type.js';
import { readPages } from './read-pages.js';

/** Operations that give points: every source's own, or the vendor's one merged stream. */
export type PointOperation = 'list' | 'reconcile';

const PAGE_SIZE = 10_000;
/** Sleep and exercise come in pages of 25, even if more is requested. */
const SESSION_PAGE_SIZE = 25;
/** No wall clock is further from UTC, so that civil bounds this much wider hold all of a range. */
const CIVIL_MARGIN_MS = 14 * MS_PER_HOUR;

/** Points of a type that a filter lets through, page by page. @throws VendorError */
export function readPoints(
  api: VendorApi,
  id: string,
  operation: PointOperation,
  filter: string | undefined,
): AsyncGenerator<readonly unknown[]> {
  const path = `/v4/users/me/dataTypes/${id}/dataPoints${operation === 'reconcile' ? ':reconcile' : ''}`;
  // Always said: the defaults differ by type and are not what is documented.
  const pageSize = id === 'sleep' || id === 'exercise' ? SESSION_PAGE_SIZE : PAGE_SIZE;
  return readPages(api, 'dataPoints', (pageToken) => ({ path, query: { filter, pageSize, pageToken } }));
}

/** Points that start in a range; for sessions those of a wider one. */
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

/** Sessions that start at an instant or later, and some that start up to 28 hours before. */
export function sessionsFrom(id: string, startMs: number): string {
  return `${filterName(id)}.interval.civil_start_time >= "${civil(startMs - CIVIL_MARGIN_MS)}"`;
}

/** Sessions that end in a range; nothing else of sleep can be requested. */
export function endFilter(id: string, { startMs, endMs }: TimeRange): string {
  return between(`${filterName(id)}.interval.end_time`, instant(startMs), instant(endMs));
}

/** Daily values of the dates from one day number up to and without another. */
export function dateFilter(id: string, firstDay: number, endDay: number): string {
  return between(`${filterName(id)}.date`, fromDayNumber(firstDay), fromDayNumber(endDay));
}

function between(member: string, from: string, to: string): string {
  return `${member} >= "${from}" AND ${member} < "${to}"`;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** A wall clock's time as if it showed UTC, to whole seconds. */
function civil(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
