import { statement, tryLockUserSql } from '../../platform/database/index.js';
import { appendEventsSql, queueRunsSql } from '../../runs/index.js';

/**
 * One statement, one transaction: the batch, its run and, where no one holds the user's row, the run's first event. A
 * writer may hold the row for seconds; the batch does not wait for it, and the first event is then written by the
 * process that starts the run. Events keep their order because each writer of an event holds that row.
 */
export const acceptBatch = statement(
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
