import type pg from 'pg';
import { runLockIsHeld } from '../../platform/jobs/index.js';
import { IS_REFUSED } from './waiting-batches.js';

/**
 * State of an ended batch's body. Only a `kept` body can be processed again. `refused`: the user disconnected the
 * provider.
 */
export type BodyState = 'kept' | 'gone' | 'refused';

export async function bodyStateOf(client: pg.Pool | pg.ClientBase, batchId: string): Promise<BodyState> {
  const { rows } = await client.query<{ isKept: boolean; isRefused: boolean }>(
    `select state <> 'received' and body is not null as "isKept", ${IS_REFUSED} as "isRefused"
       from device_batch b where batch_id = $1::uuid`,
    [batchId],
  );
  const { isKept = false, isRefused = false } = rows[0] ?? {};
  if (!isKept) return 'gone';
  return isRefused ? 'refused' : 'kept';
}

/** Assigns an ended batch's stored body to another batch, in the transaction that queues its run. */
export async function reassignBatch(client: pg.ClientBase, batchId: string, toBatchId: string): Promise<void> {
  await client.query(
    `update device_batch
        set batch_id = $2, state = 'received', attempts = 0, ended_at = null, retried_at = now(), queued_told = true
      where batch_id = $1::uuid`,
    [batchId, toBatchId],
  );
}

/**
 * Returns users whose batches have waited for a moment without a running job. @param jobName name of the processing job
 */
export async function usersWithoutJob(pool: pg.Pool, jobName: string, limit: number): Promise<number[]> {
  const { rows } = await pool.query<{ user_key: number }>(
    `select user_key from (
       select user_key, min(received_at) as since from device_batch
        where state = 'received' and coalesce(retried_at, received_at) < now() - interval '2 seconds' group by user_key
     ) waiting
     where not ${runLockIsHeld("$1 || ' user ' || user_key")}
     order by since limit $2`,
    [jobName, limit],
  );
  return rows.map(({ user_key }) => user_key);
}

/** Returns the total size in bytes of all waiting bodies. */
export async function waitingBytes(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    "select coalesce(sum(byte_size), 0)::text as bytes from device_batch where state = 'received'",
  );
  return Number(rows[0]?.bytes ?? 0);
}

const ROWS_PER_STATEMENT = 1_000;

/** Deletes batches that ended at least `days` days ago, with their remaining bodies. Returns their number. */
export async function deleteEndedBatches(pool: pg.Pool, days: number, signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { rowCount } = await pool.query(
      `delete from device_batch where seq in (
         select seq from device_batch where state <> 'received' and ended_at <= now() - make_interval(days => $1)
         limit $2)`,
      [days, ROWS_PER_STATEMENT],
    );
    total += rowCount ?? 0;
    if ((rowCount ?? 0) < ROWS_PER_STATEMENT) return total;
  }
}
