import type pg from 'pg';
import { inTransaction } from '../platform/database/index.js';

/**
 * Begins a new epoch: deletes all entries, and invalidates all cursors. Call it after a restore, because the database may
 * be older than what applications have read, and when the feed is turned on, because changes were not recorded before.
 */
export async function beginEpoch(client: pg.ClientBase): Promise<void> {
  await client.query(`with deleted as (delete from change)
    update feed_state set epoch = gen_random_uuid(), last_ordinal = 0, deleted_ordinal = 0`);
}

/** Turns the feed on or off at the start of a process. Does nothing if it is already so. */
export async function setFeed(pool: pg.Pool, isOn: boolean): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query('update feed_state set is_on = $1 where is_on <> $1', [isOn]);
    if (rowCount) await beginEpoch(client);
  });
}
