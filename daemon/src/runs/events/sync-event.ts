import { randomUUID } from 'node:crypto';
import type { SyncStatusEvent } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { type EventFilter, lastEvents } from './event-rows.js';

const insertEvent = statement(
  'sync-event-insert',
  'insert into sync_event (event_id, user_key, run_id, event) values ($1, $2, $3, $4)',
);

/**
 * Stores the event of a run's step in the caller's transaction, which holds the user's lock. One user's events
 * therefore become visible in the order of their numbers, and a reader that resumes from a number misses no event.
 */
export async function appendSyncEvent(
  client: pg.ClientBase,
  userKey: number,
  step: Omit<SyncStatusEvent, 'event_id' | 'timestamp'>,
): Promise<void> {
  const event: SyncStatusEvent = { event_id: randomUUID(), ...step, timestamp: new Date().toISOString() };
  await client.query(insertEvent([event.event_id, userKey, event.run_id, JSON.stringify(event)]));
}

/** Returns the latest events of a user's runs that match the filter, newest first. */
export async function recentSyncEvents(
  pool: pg.Pool,
  userKey: number,
  { limit, ...filter }: EventFilter & { limit: number },
): Promise<SyncStatusEvent[]> {
  return (await lastEvents(pool, userKey, filter, limit)).map(({ event }) => event);
}
