import type pg from 'pg';
import type { ErasureLedger } from './erasure-ledger.js';
import type { ErasureEntry } from './ledger-lines.js';

/**
 * Records erasures in the transaction that erases. If a crash keeps an entry out of the ledger, {@link completeLedger}
 * adds the entry later.
 */
export async function insertErasures(client: pg.ClientBase, entries: readonly ErasureEntry[]): Promise<void> {
  await insertInto('erasure', client, entries);
}

/** Returns all erasures in the database; an empty list if its schema is too old. */
export async function readErasures(client: pg.Pool | pg.ClientBase): Promise<ErasureEntry[]> {
  return (await readFrom('erasure', client)) ?? [];
}

/** Adds the database's missing entries to the ledger: erasures by other processes, or by a process that was killed. */
export async function completeLedger(pool: pg.Pool, ledger: ErasureLedger): Promise<void> {
  await ledger.append(await readErasures(pool));
}

/** Stores the pending erasures of a restore, in the transaction that restores the database. */
export async function storePendingErasures(client: pg.ClientBase, entries: readonly ErasureEntry[]): Promise<void> {
  // Creates the table here instead of in a migration, because it is temporary and an old backup may have an older
  // schema.
  await client.query(
    'create table if not exists pending_erasure (hash text primary key, key text not null, erased_at timestamptz not null)',
  );
  await insertInto('pending_erasure', client, entries);
}

/** Returns the pending erasures of a restore; undefined if no restore is pending. */
export async function readPendingErasures(client: pg.ClientBase): Promise<ErasureEntry[] | undefined> {
  return readFrom('pending_erasure', client);
}

export async function dropPendingErasures(client: pg.ClientBase): Promise<void> {
  await client.query('drop table pending_erasure');
}

async function insertInto(
  table: 'erasure' | 'pending_erasure',
  client: pg.ClientBase,
  entries: readonly ErasureEntry[],
): Promise<void> {
  await client.query(
    `insert into ${table} (hash, key, erased_at) select * from unnest($1::text[], $2::text[], $3::timestamptz[])
     on conflict (hash) do nothing`,
    [entries.map(({ hash }) => hash), entries.map(({ key }) => key), entries.map(({ erasedAt }) => erasedAt)],
  );
}

async function readFrom(
  table: 'erasure' | 'pending_erasure',
  client: pg.Pool | pg.ClientBase,
): Promise<ErasureEntry[] | undefined> {
  const found = await client.query<{ present: boolean }>('select to_regclass($1) is not null as present', [table]);
  if (!found.rows[0]?.present) return undefined;
  const { rows } = await client.query<{ hash: string; key: string; erased_at: Date }>(
    `select hash, key, erased_at from ${table} order by erased_at, hash`,
  );
  return rows.map(({ hash, key, erased_at }) => ({ hash, key, erasedAt: erased_at.toISOString() }));
}
