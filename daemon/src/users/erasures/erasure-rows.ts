import type pg from 'pg';
import type { ErasureLedger } from './erasure-ledger.js';
import type { ErasureEntry } from './ledger-lines.js';

/** Notes erasures in the transaction that erases: what a crash keeps from the ledger is added to it from here. */
export async function insertErasures(client: pg.ClientBase, entries: readonly ErasureEntry[]): Promise<void> {
  await insertInto('erasure', client, entries);
}

/** All erasures that the database knows; none where its schema is older than they are. */
export async function readErasures(client: pg.Pool | pg.ClientBase): Promise<ErasureEntry[]> {
  return (await readFrom('erasure', client)) ?? [];
}

/** Adds to the ledger what the database knows and it lacks: erasures of other processes, and of one that was killed. */
export async function completeLedger(pool: pg.Pool, ledger: ErasureLedger): Promise<void> {
  await ledger.append(await readErasures(pool));
}

/** Writes down what is still to be erased of a database that is being restored, in the transaction that fills it. */
export async function storePendingErasures(client: pg.ClientBase, entries: readonly ErasureEntry[]): Promise<void> {
  // No migration makes it: the schema may be that of an old backup, and the table lives for this moment only.
  await client.query(
    'create table if not exists pending_erasure (hash text primary key, key text not null, erased_at timestamptz not null)',
  );
  await insertInto('pending_erasure', client, entries);
}

/** What is still to be erased; undefined when no restore has left anything. */
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
