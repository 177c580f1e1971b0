import { MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { loadArchivedBefore } from '../../facts/archived/minute-store.js';
import { loadTimeline } from '../../facts/offsets/timeline-rows.js';
import type { WriteContext } from '../../facts/write-context.js';

/** Days around those of a query whose samples may compete with the query's. */
const AROUND_DAYS = 2;

/** What counting samples has to know of the user: read once for all series and sources. */
export type MergeContext = Pick<WriteContext, 'timeline' | 'archivedBefore'>;

/** The instants around the days of a query, in UTC. */
export function instantsAround({ firstDay, lastDay }: { firstDay: number; lastDay: number }) {
  return { fromMs: (firstDay - AROUND_DAYS) * MS_PER_DAY, toMs: (lastDay + AROUND_DAYS) * MS_PER_DAY };
}

/** Reads what counting the samples of these days has to know. */
export async function loadMergeContext(
  client: pg.ClientBase,
  userKey: number,
  days: { firstDay: number; lastDay: number },
): Promise<MergeContext> {
  const { fromMs, toMs } = instantsAround(days);
  const timeline = await loadTimeline(client, userKey, fromMs, toMs);
  return { timeline, archivedBefore: await loadArchivedBefore(client, userKey) };
}
