import { randomUUID } from 'node:crypto';
import type { SyncStatusEvent } from '@healthd/schemas';
import type pg from 'pg';
import { EVENT_COLUMN } from './event-rows.js';

/**
 * Stores one step of a run inside the caller's transaction, which holds the user's row: so the events of one user are
 * visible in the order of their numbers, and anyone who reads on from a number misses none.
 */
export async function appendSyncEvent(
  client: pg.ClientBase,
  userKey: number,
  step: Omit<SyncStatusEvent, 'event_id' | 'timestamp'>,
): Promise<void> {
  const event: SyncStatusEvent = { event_id: randomUUID(), ...step, timestamp: new Date().toISOString() };
  await client.query('insert into sync_event (event_id, user_key, run_id, event) values ($1, $2, $3, $4)', [
    event.event_id,
    userKey,
    event.run_id,
    JSON.stringify(event),
  ]);
}

/** The latest steps of all runs of a user, newest first. */
export async function recentSyncEvents(pool: pg.Pool, userKey: number, limit: number): Promise<SyncStatusEvent[]> {
  const { rows } = await pool.query<{ event: SyncStatusEvent }>(
    `select ${EVENT_COLUMN} from sync_event where user_key = $1 order by seq desc limit $2`,
    [userKey, limit],
  );
  return rows.map(({ event }) => event);
}
