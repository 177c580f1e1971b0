import type { ProviderId } from '@healthd/model';
import type { BodyEncoding } from '@healthd/providers';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';

/** A batch that waits for processing. */
export interface WaitingBatch {
  batchId: string;
  userKey: number;
  provider: ProviderId;
  /** Name of the phone that sent the batch; empty if unknown. */
  device: string;
  encoding: BodyEncoding;
  byteSize: number;
  /** Number of started attempts. */
  attempts: number;
  /** Seconds since the batch was received. */
  ageSeconds: number;
  receivedAtMs: number;
  /** Seconds since the batch was received or its retry was requested. */
  waitingSeconds: number;
  /** Time at which a retried batch was received. Data that arrived later is newer. */
  retriedSince: Date | null;
  /** True if the run's first event is written. */
  isQueuedReported: boolean;
  /** True if the user disconnected the provider, so that device data is rejected. */
  isRefused: boolean;
}

/** SQL: true if the user of batch `b` disconnected its provider. */
export const IS_REFUSED = `exists (select from connection c where c.user_key = b.user_key and c.provider = b.provider
             and c.status_reason = 'user_disconnected')`;

const COLUMNS = `batch_id as "batchId", user_key as "userKey", provider, device, encoding, byte_size as "byteSize", attempts,
  extract(epoch from now() - received_at)::float8 as "ageSeconds",
  extract(epoch from received_at)::float8 * 1000 as "receivedAtMs",
  extract(epoch from now() - coalesce(retried_at, received_at))::float8 as "waitingSeconds",
  case when retried_at is not null then received_at end as "retriedSince", queued_told as "isQueuedReported",
  ${IS_REFUSED} as "isRefused"`;

const readPending = statement(
  'device_batches_waiting',
  `select ${COLUMNS} from device_batch b where user_key = $1 and state = 'received' order by seq limit $2`,
);

/** Returns a user's oldest waiting batches in order of arrival. */
export async function waitingBatches(pool: pg.Pool, userKey: number, limit: number): Promise<WaitingBatch[]> {
  return (await pool.query<WaitingBatch>(readPending([userKey, limit]))).rows;
}

/** Returns a user's waiting batches that were started before: their processing was interrupted, or runs now. */
export async function startedBatches(
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

/** Returns the body of a batch; undefined if it was deleted. */
export async function bodyOf(pool: pg.Pool, batchId: string): Promise<Buffer | undefined> {
  return (await pool.query<{ body: Buffer | null }>(readBody([batchId]))).rows[0]?.body ?? undefined;
}
