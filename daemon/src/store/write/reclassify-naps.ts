import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import { refreshNights } from '../derived/nights/night-value.js';
import { deletedNightDays, loadAssembled, reclassifyNaps } from './assembled-sessions.js';
import { isNap, NAP_REACH_MS, nightDaysOf } from '../decide/nap.js';
import { loadContext } from './load-context.js';

/**
 * Recalculates the nap status of a user's assembled sessions from all sessions of their source, in the caller's
 * transaction.
 * @returns the number of corrected sessions
 * @throws UserMissingError
 */
export async function reclassifyStoredNaps(
  client: pg.ClientBase,
  userKey: number,
  sleepEndGapMinutes: number,
): Promise<number> {
  await lockUser(client, userKey);
  const { rows: spans } = await client.query<{ source_id: number; from_ms: number; to_ms: number }>(
    `select source_id, extract(epoch from min(start_at))::float8 * 1000 as from_ms,
            extract(epoch from max(end_at))::float8 * 1000 as to_ms
       from sleep_session where user_key = $1 and assembled group by source_id`,
    [userKey],
  );
  const fromMs = Math.min(...spans.map(({ from_ms }) => from_ms));
  const toMs = Math.max(...spans.map(({ to_ms }) => to_ms));
  const context = await loadContext(client, userKey, sleepEndGapMinutes, { fromMs, toMs });
  const wakeDates: string[] = [];
  for (const { source_id: sourceId, from_ms, to_ms } of spans) {
    const sessions = await loadAssembled(context, { sourceId, fromMs: from_ms, toMs: to_ms });
    const nightDays = nightDaysOf(sessions);
    const span = { sourceId, fromMs: from_ms - NAP_REACH_MS, toMs: to_ms + NAP_REACH_MS };
    for (const day of await deletedNightDays(context, span)) nightDays.add(day);
    const wrong = sessions.filter((session) => isNap(session, nightDays) !== session.isNap);
    await reclassifyNaps(client, userKey, wrong);
    wakeDates.push(...wrong.map(({ wakeDate }) => wakeDate));
  }
  await refreshNights(client, userKey, new Set(wakeDates));
  return wakeDates.length;
}
