import type { ConsentEnd } from '@healthd/contract';
import type { ErasedCounts, Erasure } from '@healthd/schemas';
import type pg from 'pg';
import { Failure } from '../../platform/failures.js';
import type { ErasureEntry } from './ledger-lines.js';

/** The data that an erasure deletes: counts and provider names, but no personal data. */
export interface Erased {
  counts: ErasedCounts;
  connections: Erasure['connections'];
}

/**
 * Counts a user's rows. Counts samples by the daily roll-up, like the data summary, so that the cost grows with days,
 * not with samples.
 */
const COUNTS = `
select coalesce(d.samples, 0)::int8 as samples, coalesce(d.days, 0)::int4 as days,
       (select count(*)::int4 from workout where user_key = $1) as workouts,
       (select count(*)::int4 from sleep_session where user_key = $1) as sleep_sessions,
       (select count(*)::int4 from menstrual_cycle where user_key = $1) as menstrual_cycles,
       (select count(*)::int4 from health_score where user_key = $1) as health_scores,
       (select count(*)::int4 from data_source where user_key = $1) as data_sources,
       (select count(*)::int4 from sync_run where user_key = $1) as runs,
       (select count(*)::int4 from import_file where user_key = $1) as files,
       (select count(*)::int4 from device_batch where user_key = $1) as batches
  from (select sum(sample_count + total_count + aggregate_count) as samples, count(distinct local_date) as days
          from day_value where user_key = $1) d`;

/**
 * Counts a user's data in the transaction that erases it. Call after locking the user.
 * @param consents outcome of each connection's consent; a missing outcome counts as failed
 */
export async function countErased(
  client: pg.ClientBase,
  userKey: number,
  consents: ReadonlyMap<string, ConsentEnd>,
): Promise<Erased> {
  const counts = await client.query<ErasedCounts>(COUNTS, [userKey]);
  const held = await client.query<{ id: string; provider: string }>(
    'select id, provider from connection where user_key = $1 order by provider',
    [userKey],
  );
  return {
    counts: counts.rows[0] as ErasedCounts,
    connections: held.rows.map(({ id, provider }) => ({ provider, consent: consents.get(id) ?? 'failed' })),
  };
}

/** Stores the receipt in the transaction that erases. */
export async function insertReceipt(
  client: pg.ClientBase,
  id: string,
  entry: ErasureEntry,
  erased: Erased,
): Promise<void> {
  await client.query(
    'insert into erasure_receipt (id, erased_at, ledger_hash, counts, connections) values ($1, $2, $3, $4, $5)',
    [id, entry.erasedAt, entry.hash, JSON.stringify(erased.counts), JSON.stringify(erased.connections)],
  );
}

/** Returns a stored receipt. @throws Failure `not_found` */
export async function readReceipt(pool: pg.Pool, id: string): Promise<Erasure> {
  const { rows } = await pool.query<{
    erased_at: Date;
    ledger_hash: string;
    counts: ErasedCounts;
    connections: Erasure['connections'];
  }>('select erased_at, ledger_hash, counts, connections from erasure_receipt where id = $1', [id]);
  const row = rows[0];
  if (!row) {
    const why = 'A deletion that failed erased nothing and has no receipt.';
    throw new Failure('not_found', `Erasure with ID: ${id} not found. ${why}`);
  }
  return {
    id,
    erased_at: row.erased_at.toISOString(),
    erased: row.counts,
    connections: row.connections,
    ledger_hash: row.ledger_hash,
  };
}
