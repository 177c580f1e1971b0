import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import { refreshNights } from '../derived/nights/night-value.js';
import { loadTimeline } from '../facts/offsets/offset-days.js';
import { loadAssembled, reclassifyNaps } from '../facts/sleep/assembled-sessions.js';
import { isNap } from '../facts/sleep/nap.js';

/**
 * Judges anew which of a user's assembled sessions are naps, each by all sessions of its source, in the caller's
 * transaction.
 * @returns how many were judged wrong before
 * @throws UserMissingError
 */
export async function reclassifyStoredNaps(client: pg.ClientBase, userKey: number): Promise<number> {
  await lockUser(client, userKey);
  const { rows: spans } = await client.query<{ source_id: number; from_ms: number; to_ms: number }>(
    `select source_id, extract(epoch from min(start_at))::float8 * 1000 as from_ms,
            extract(epoch from max(end_at))::float8 * 1000 as to_ms
       from sleep_session where user_key = $1 and assembled group by source_id`,
    [userKey],
  );
  const wakeDates: string[] = [];
  for (const { source_id: sourceId, from_ms: fromMs, to_ms: toMs } of spans) {
    const timeline = await loadTimeline(client, userKey, fromMs, toMs);
    const sessions = await loadAssembled(client, userKey, { sourceId, fromMs, toMs }, timeline);
    const wrong = sessions.filter((session) => isNap(session, sessions) !== session.isNap);
    await reclassifyNaps(client, userKey, wrong);
    wakeDates.push(...wrong.map(({ wakeDate }) => wakeDate));
  }
  await refreshNights(client, userKey, new Set(wakeDates));
  return wakeDates.length;
}
