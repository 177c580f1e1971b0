import { createHash, randomUUID } from 'node:crypto';
import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import { statement, tryLockUserSql } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import { appendEventsSql, queuedEvent, queueRunsSql, type SyncRuns } from '../../runs/index.js';
import type { InboxCapacity } from './inbox-capacity.js';
import { NO_COUNTS } from './push-outcome.js';
import type { ReceivedPush } from './pushed-body.js';

/**
 * Stores the batch, its run and, if the user's row is free, the run's first event in one statement. A writer may hold
 * the row for seconds, and the batch must not wait. If the row is held, the process that starts the run writes the
 * first event. Events keep their order because each event writer holds that row.
 */
const acceptBatch = statement(
  'device_batch_accept',
  `with free as (${tryLockUserSql('$2')}),
   batch as (
     insert into device_batch (batch_id, user_key, provider, encoding, byte_size, sha256, key_hash, body, device, queued_told)
     values ($1::uuid, $2, $3, $4, $5, $6, $7, $8, $13, exists (select from free))
     on conflict (user_key, key_hash) where key_hash is not null do nothing
     returning batch_id),
   run as (${queueRunsSql("select batch_id::text, $2::bigint, $3::text, 'sdk', $9::text, $10::jsonb from batch")}),
   event as (${appendEventsSql('select $11::uuid, $2, batch.batch_id::text, $12::jsonb from batch, free')})
   select batch_id from batch`,
);

export interface AcceptServices {
  pool: pg.Pool;
  runs: Pick<SyncRuns, 'announce'>;
  room: InboxCapacity;
}

const MESSAGE = 'The batch is stored and waits for processing.';

/**
 * Accepts a received batch: from now on its processing is guaranteed. If an earlier batch of the user has the same
 * `idempotencyKey`, returns the ID of that batch instead. `device` is the phone's name; empty if unknown.
 * @throws Failure `not_found` (the user was deleted), `storage_full` (too many batches wait), `unavailable`
 */
export async function acceptPush(
  { pool, runs, room }: AcceptServices,
  user: { id: string; userKey: number },
  provider: ProviderId,
  received: ReceivedPush,
  { idempotencyKey, device }: { idempotencyKey: string | undefined; device: string },
): Promise<string> {
  const { userKey } = user;
  const { body, encoding, sha256 } = received;
  const keyHash = idempotencyKey === undefined ? null : createHash('sha256').update(idempotencyKey).digest();
  try {
    await room.take(body.length);
    const batchId = randomUUID();
    const metadata = { batch_id: batchId, ...NO_COUNTS, byte_size: body.length, sha256: sha256.toString('hex') };
    const run = { runId: batchId, userKey, provider, source: 'sdk' as const, message: MESSAGE, metadata };
    const event = queuedEvent(user.id, run);
    const inserted = await pool.query<{ batch_id: string }>(
      acceptBatch([
        batchId,
        userKey,
        provider,
        encoding,
        body.length,
        sha256,
        keyHash,
        body,
        MESSAGE,
        JSON.stringify(metadata),
        event.event_id,
        JSON.stringify(event),
        device,
      ]),
    );
    if (inserted.rows.length > 0) {
      runs.announce(userKey);
      return batchId;
    }
    const earlier = await pool.query<{ batch_id: string }>(
      'select batch_id from device_batch where user_key = $1 and key_hash = $2',
      [userKey, keyHash],
    );
    if (earlier.rows[0]) return earlier.rows[0].batch_id;
    throw new Failure('unavailable', 'The batch was not stored. Send it again.');
  } catch (error) {
    throw asFailure(error, user.id);
  }
}

function asFailure(error: unknown, userId: string): unknown {
  const isUserDeleted = (error as { code?: unknown }).code === '23503';
  return isUserDeleted ? new Failure('not_found', `User with ID: ${userId} not found.`) : error;
}
