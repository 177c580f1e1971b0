import type pg from 'pg';
import { refreshNights } from './nights/night-value.js';
import { loadTimeline } from './offset-days.js';
import { reassemble } from './sleep/session-store.js';
import { lockUser } from './user-lock.js';

/** The tables of sessions that can be deleted one by one. */
export type SessionTable = 'workout' | 'sleep_session' | 'menstrual_cycle';

/**
 * Deletes one session; false when the user has none with this id. The stages of an assembled night go with it, because
 * the next stage that arrives would bring it back.
 * @throws UserMissingError
 */
export async function deleteSessionIn(
  client: pg.ClientBase,
  userKey: number,
  table: SessionTable,
  id: string,
  sleepEndGapMinutes: number,
): Promise<boolean> {
  await lockUser(client, userKey);
  if (table !== 'sleep_session') {
    const { rowCount } = await client.query(`delete from ${table} where user_key = $1 and id = $2`, [userKey, id]);
    return rowCount === 1;
  }
  const { rows } = await client.query<{ wake_date: string }>(
    'delete from sleep_session where user_key = $1 and id = $2 returning wake_date, source_id, assembled, start_at, end_at',
    [userKey, id],
  );
  const session = rows[0] as
    | { wake_date: string; source_id: number; assembled: boolean; start_at: Date; end_at: Date }
    | undefined;
  if (!session) return false;
  if (session.assembled) {
    await client.query(
      `delete from sleep_stage where user_key = $1 and source_id = $2 and start_at < $4 and end_at > $3`,
      [userKey, session.source_id, session.start_at, session.end_at],
    );
  }
  const span = {
    sourceId: session.source_id,
    fromMs: session.start_at.getTime(),
    toMs: session.end_at.getTime(),
  };
  // Without this night, a short sleep near it may be no nap any more.
  const timeline = await loadTimeline(client, userKey, span.fromMs, span.toMs);
  const { wakeDates } = await reassemble(client, userKey, span, sleepEndGapMinutes, timeline);
  await refreshNights(client, userKey, [session.wake_date, ...wakeDates]);
  return true;
}
