import type { ActivityMerge, ActivitySummary, DateOrInstant, Envelope } from '@healthd/schemas';
import { dayBounds } from '../bounds.js';
import { Cursors, pageEnvelope, pageOf } from '../page.js';
import type { SummarySource } from '../sources.js';
import { summariseDays } from './activity-summary.js';
import { ACTIVITY_TYPES, groupDays, mergeGroups } from './day-groups.js';
import { readDayValues } from './day-values.js';

export interface ActivityParams {
  start: DateOrInstant;
  end: DateOrInstant;
  cursor?: string;
  limit: number;
  sortOrder: 'asc' | 'desc';
  /** `interval` merges the sources of each provider account, so that each instant counts once. */
  merge?: ActivityMerge;
}

/**
 * Reads one row per local day with data, from roll-ups, workouts and sessions. Needs two statements for any range.
 * `merge: 'interval'` needs a third statement and reads the samples of days without cached totals.
 */
export async function readActivity(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  params: ActivityParams,
): Promise<Envelope<ActivitySummary>> {
  const { start, end, limit, sortOrder, merge = 'source' } = params;
  const bounds = dayBounds({ start, end, endName: 'end_date' });
  const cursors = new Cursors(['date'], { route: 'activity', userKey, filters: { sortOrder, merge } });
  const position = cursors.decode(params.cursor);
  const ascending = (sortOrder === 'asc') !== (position?.before ?? false);
  const after = position === undefined ? null : String(position.key[0]);
  const [values, priorities] = await Promise.all([
    readDayValues(pool, userKey, { typeIds: ACTIVITY_TYPES, ...bounds, position: after, ascending, limit: limit + 1 }),
    store.current(),
  ]);
  const page = pageOf(groupDays(values.rows, values.climbs, priorities), limit, position, cursors, (day) => [day.date]);
  const days = merge === 'interval' ? await mergeGroups(pool, userKey, page.rows, priorities) : page.rows;
  const summaries = await summariseDays(pool, userKey, days, values);
  const facts = { start, end, totalCount: values.days };
  const rows = summaries.filter((summary) => summary !== undefined);
  return pageEnvelope({ ...page, rows }, (summary) => summary, facts);
}
