import type pg from 'pg';
import { connectDeviceSql } from '../../connections/index.js';
import { statement } from '../../platform/database/index.js';

const updateAttempts = statement(
  'device_batch_attempts',
  'update device_batch set attempts = attempts + 1, queued_told = true where batch_id = any ($1::uuid[])',
);

/** Counts one more attempt, inside the transaction that starts the runs. */
export async function countAttempt(client: pg.ClientBase, batchIds: readonly string[]): Promise<void> {
  await client.query(updateAttempts([batchIds]));
}

/**
 * Ends a stored batch and creates or updates its connection. A single statement does both, because it runs for every
 * batch.
 */
const endStored = statement(
  'device_batch_stored',
  `with ended as (
     update device_batch set state = 'done', ended_at = clock_timestamp(), body = case when $2 then body end
      where batch_id = $1 and state = 'received' returning user_key, provider)
   ${connectDeviceSql('ended')}`,
);

const endOther = statement(
  'device_batch_end',
  `update device_batch set state = $2, ended_at = clock_timestamp(), body = case when $2 = 'done' then null else body end
    where batch_id = $1 and state = 'received'`,
);

/** Outcome of a batch. `partial`: some of its items were not stored. */
export type BatchState = 'stored' | 'partial' | 'refused' | 'failed';

/**
 * Ends a batch in the transaction that stores its records. Keeps the body of a failed or partial batch for some days,
 * so that it can be processed again. Deletes the body of a rejected batch.
 * @throws Error if the user disconnected after the batch was read; the caller rolls back and retries
 */
export async function endBatch(client: pg.ClientBase, batchId: string, end: BatchState): Promise<void> {
  if (end === 'refused' || end === 'failed') {
    await client.query(endOther([batchId, end === 'refused' ? 'done' : 'failed']));
    return;
  }
  const { rows } = await client.query<{ isRefused: boolean | null }>(endStored([batchId, end === 'partial']));
  if (rows[0]?.isRefused) throw new Error('the connection ended while its batch was being written');
}
