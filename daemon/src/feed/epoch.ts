import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { inTransaction, isFeedOn } from '../platform/database/index.js';
import { storeEvent } from './outbox.js';

/**
 * Starts a new epoch: deletes all entries and digests, and invalidates all cursors. Call it after a restore, because
 * applications may have read newer data than the database contains. Also call it when the feed is turned on, because
 * changes were not recorded before.
 */
export async function beginEpoch(client: pg.ClientBase): Promise<void> {
  await client.query(`with deleted as (delete from change), digests as (delete from day_digest)
    update feed_state set epoch = gen_random_uuid(), last_ordinal = 0, deleted_ordinal = 0, numbered_before = '0'`);
}

/**
 * Turns the feed on or off at the start of a process that serves the API. Waits for open transactions that have read
 * whether the feed is on. After turning the feed off, deletes the entries in small transactions: the next switch must
 * wait for a running transaction, and other processes wait for that switch.
 * @param onWait called after each attempt that open transactions have blocked
 */
export async function setFeed(pool: pg.Pool, isOn: boolean, onWait: () => void = () => undefined): Promise<void> {
  const { rowCount: isSet } = await pool.query('select from feed_state where is_on = $1', [isOn]);
  if (isSet !== 0) return;
  const isSwitched = await withoutBlockingWriters(onWait, (lockTimeoutMs) =>
    inTransaction(pool, async (client) => {
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
      await client.query(`select pg_advisory_xact_lock(hashtext('healthd feed'))`);
      const { rowCount } = await client.query('update feed_state set is_on = $1 where is_on <> $1', [isOn]);
      if (rowCount && isOn) await beginEpoch(client);
      return rowCount !== 0;
    }),
  );
  if (!isSwitched || isOn) return;
  while (await deleteSome(pool, 'day_digest'));
  while (await deleteSome(pool, 'change'));
}

/**
 * Stores the settings that select figures of summaries, and an event if they differ from the last start's settings. Does
 * not wait for writers.
 */
export async function setSelectionSettings(pool: pg.Pool, settings: object): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ is_first: boolean }>(
      `update feed_state stored set settings = $1::jsonb from feed_state former
        where stored.settings is distinct from $1::jsonb returning former.settings is null as is_first`,
      [JSON.stringify(settings)],
    );
    if (rows[0]?.is_first !== false) return;
    await storeEvent(client, { kind: 'selection', body: { action: 'changed', cause: 'settings' } });
  });
}

/**
 * Maximum wait of the first attempt for a lock. Writers queue behind the waiting switch, so short waits come first. Each
 * attempt doubles the wait, because otherwise overlapping long transactions could delay the switch forever. The maximum
 * is below the time after which a request fails because no database connection is free.
 */
const FIRST_LOCK_TIMEOUT_MS = 500;
const MAX_LOCK_TIMEOUT_MS = 4_000;

/** Repeats the work until it gets its locks in time. Pauses as long as it waited, so that the writers behind it continue. */
async function withoutBlockingWriters<T>(onWait: () => void, work: (lockTimeoutMs: number) => Promise<T>): Promise<T> {
  for (let lockTimeoutMs = FIRST_LOCK_TIMEOUT_MS; ; lockTimeoutMs = Math.min(MAX_LOCK_TIMEOUT_MS, lockTimeoutMs * 2)) {
    try {
      return await work(lockTimeoutMs);
    } catch (error) {
      if ((error as { code?: unknown }).code !== '55P03') throw error;
    }
    onWait();
    await sleep(lockTimeoutMs);
  }
}

/** Number of rows per transaction. */
const AT_ONCE = 10_000;

const DELETE_SOME = {
  day_digest: `delete from day_digest where ctid = any (array(select ctid from day_digest limit ${AT_ONCE}))`,
  change: `delete from change where ctid = any (array(select ctid from change limit ${AT_ONCE}))`,
};

/**
 * Deletes some rows while the feed is off. Turning the feed on deletes rows that an interrupted process left.
 * @returns true if there may be more rows
 */
async function deleteSome(pool: pg.Pool, table: keyof typeof DELETE_SOME): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    if (await isFeedOn(client)) return false;
    const { rowCount } = await client.query(DELETE_SOME[table]);
    return rowCount === AT_ONCE;
  });
}
