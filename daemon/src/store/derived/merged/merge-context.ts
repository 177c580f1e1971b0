import { MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { loadArchivedBefore } from '../../facts/archived/minute-store.js';
import { loadTimeline } from '../../facts/offsets/timeline-rows.js';
import type { WriteContext } from '../../facts/write-context.js';

/** Number of days around a query's days whose samples may compete with samples of the query's days. */
const AROUND_DAYS = 2;

/** User data that counting needs, read once for all series and sources. */
export type MergeContext = Pick<WriteContext, 'timeline' | 'archivedBefore'>;

/** Returns the UTC time range around the days of a query. */
export function instantsAround({ firstDay, lastDay }: { firstDay: number; lastDay: number }) {
  return { fromMs: (firstDay - AROUND_DAYS) * MS_PER_DAY, toMs: (lastDay + AROUND_DAYS) * MS_PER_DAY };
}

/** Loads the data that counting the samples of these days needs. */
export async function loadMergeContext(
  client: pg.ClientBase,
  userKey: number,
  days: { firstDay: number; lastDay: number },
): Promise<MergeContext> {
  const { fromMs, toMs } = instantsAround(days);
  const timeline = await loadTimeline(client, userKey, fromMs, toMs);
  return { timeline, archivedBefore: await loadArchivedBefore(client, userKey) };
}
