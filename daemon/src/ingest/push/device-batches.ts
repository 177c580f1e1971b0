import type { ProviderId } from '@healthd/model';
import type { BodyEncoding } from '@healthd/providers';
import type pg from 'pg';
import { connectDeviceSql } from '../../connections/index.js';
import { statement } from '../../platform/database/index.js';
import { runLockIsHeld } from '../../platform/jobs/index.js';

/** A batch that waits for its processing. */
export interface WaitingBatch {
  batchId: string;
  userKey: number;
  provider: ProviderId;
  encoding: BodyEncoding;
  byteSize: number;
  /** How often it was begun. */
  attempts: number;
  /** Since it was received. */
  ageSeconds: number;
  /** Since it was received or, where it is processed again, since that was requested. */
  waitingSeconds: number;
  /** When it was received, where it is processed again; what came since is newer. */
  retriedSince: Date | null;
  /** Whether the run's first event is written. */
  queuedTold: boolean;
  /** Whether the user disconnected the provider, so that nothing more is taken from a device. */
  isRefused: boolean;
}

const IS_REFUSED = `exists (select from connection c where c.user_key = b.user_key and c.provider = b.provider
             and c.status_reason = 'user_disconnected')`;

const COLUMNS = `batch_id as "batchId", user_key as "userKey", provider, encoding, byte_size as "byteSize", attempts,
  extract(epoch from now() - received_at)::float8 as "ageSeconds",
  extract(epoch from now() - coalesce(retried_at, received_at))::float8 as "waitingSeconds",
  case when retried_at is not null then received_at end as "retriedSince", queued_told as "queuedTold",
  ${IS_REFUSED} as "isRefused"`;

const readWaiting = statement(
  'device_batches_waiting',
  `select ${COLUMNS} from device_batch b where user_key = $1 and state = 'received' order by seq limit $2`,
);

/** The oldest waiting batches of a user, in order of arrival. */
export async function waitingBatches(pool: pg.Pool, userKey: number, limit: number): Promise<WaitingBatch[]> {
  return (await pool.query<WaitingBatch>(readWaiting([userKey, limit]))).rows;
}

/** Waiting batches of a user that were begun before: their processing was interrupted, unless it is under way now. */
export async function begunBatches(
  pool: pg.Pool,
  userKey: number,
): Promise<Pick<WaitingBatch, 'batchId' | 'attempts'>[]> {
  const { rows } = await pool.query<Pick<WaitingBatch, 'batchId' | 'attempts'>>(
    `select batch_id as "batchId", attempts from device_batch
      where user_key = $1 and state = 'received' and attempts > 0 order by seq`,
    [userKey],
  );
  return rows;
}

const readBody = statement('device_batch_body', 'select body from device_batch where batch_id = $1');

/** The body of a batch; undefined when the batch is gone. */
export async function bodyOf(pool: pg.Pool, batchId: string): Promise<Buffer | undefined> {
  return (await pool.query<{ body: Buffer | null }>(readBody([batchId]))).rows[0]?.body ?? undefined;
}

/** Counts one more attempt, inside the transaction that starts the runs. */
export async function countAttempt(client: pg.ClientBase, batchIds: readonly string[]): Promise<void> {
  await client.query(
    'update device_batch set attempts = attempts + 1, queued_told = true where batch_id = any ($1::uuid[])',
    [batchIds],
  );
}

/**
 * What a device sent and was stored makes the connection, or keeps it: in the same statement, because it is done for every
 * batch.
 */
const endStored = statement(
  'device_batch_stored',
  `with ended as (
     update device_batch set state = 'done', ended_at = now(), body = case when $2 then body end
      where batch_id = $1 and state = 'received' returning user_key, provider)
   ${connectDeviceSql('ended')}`,
);

const endOther = statement(
  'device_batch_end',
  `update device_batch set state = $2, ended_at = now(), body = case when $2 = 'done' then null else body end
    where batch_id = $1 and state = 'received'`,
);

/** How a batch ended; `partial`: some of its items were not stored. */
export type BatchState = 'stored' | 'partial' | 'refused' | 'failed';

/**
 * Ends a batch inside the transaction that stores its records. The body of one that failed or was stored in part is
 * retained for some days, so that it can be processed again; that of one that was refused is not.
 * @throws Error when the user disconnected since the batch was read; all is to be rolled back and looked at again
 */
export async function endBatch(client: pg.ClientBase, batchId: string, end: BatchState): Promise<void> {
  if (end === 'refused' || end === 'failed') {
    await client.query(endOther([batchId, end === 'refused' ? 'done' : 'failed']));
    return;
  }
  const { rows } = await client.query<{ isRefused: boolean | null }>(endStored([batchId, end === 'partial']));
  if (rows[0]?.isRefused) throw new Error('the connection was ended while a batch of it was written');
}

/** Whether the body of an ended batch can be processed again; `refused`: the user disconnected the provider. */
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

/** Hands the stored body of an ended batch over to another one, in the transaction that queues its run. */
export async function reassignBatch(client: pg.ClientBase, batchId: string, toBatchId: string): Promise<void> {
  await client.query(
    `update device_batch
        set batch_id = $2, state = 'received', attempts = 0, ended_at = null, retried_at = now(), queued_told = true
      where batch_id = $1::uuid`,
    [batchId, toBatchId],
  );
}

/** Users with batches that have waited for a moment and whom no process works on; `jobName` is the job that does. */
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

/** Bytes of all bodies that wait. */
export async function waitingBytes(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    "select coalesce(sum(byte_size), 0)::text as bytes from device_batch where state = 'received'",
  );
  return Number(rows[0]?.bytes ?? 0);
}

const ROWS_PER_STATEMENT = 1_000;

/** Deletes batches that ended so many days ago, with what is left of their bodies. Returns how many. */
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
