import type pg from 'pg';

/** Values of the connections' open transactions. */
const OPEN = new WeakMap<pg.ClientBase, Map<object, unknown>>();

/** Value that belongs to a transaction: each transaction of `inTransaction` starts with a new value. */
export class TransactionValue<T> {
  constructor(private readonly create: () => T) {}

  /** Returns the transaction's value. Outside of `inTransaction` each call returns a new value. */
  in(client: pg.ClientBase): T {
    const values = OPEN.get(client);
    const known = values?.get(this) as T | undefined;
    if (known !== undefined) return known;
    const created = this.create();
    values?.set(this, created);
    return created;
  }

  /** Returns the transaction's value if {@link in} created it before. */
  existingIn(client: pg.ClientBase): T | undefined {
    return OPEN.get(client)?.get(this) as T | undefined;
  }
}

/**
 * Work that runs at the end of each of a pool's transactions, before the commit.
 * @returns a function to call after the commit
 */
export type CommitHook = (client: pg.ClientBase) => Promise<(() => void) | undefined>;

const HOOKS = new WeakMap<pg.Pool, CommitHook>();

/** Sets the work at the end of each transaction of `inTransaction` and `inTransactionOnce`. A pool has one hook. */
export function onCommit(pool: pg.Pool, hook: CommitHook): void {
  HOOKS.set(pool, hook);
}

/** Runs work in one transaction and commits. The caller rolls back if this rejects. */
export async function runTransaction<T>(
  pool: pg.Pool,
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<T>,
  end: 'commit' | 'rollback',
): Promise<T> {
  await client.query('begin');
  OPEN.set(client, new Map());
  try {
    const result = await work(client);
    const afterCommit = end === 'commit' ? await HOOKS.get(pool)?.(client) : undefined;
    await client.query(end);
    afterCommit?.();
    return result;
  } finally {
    OPEN.delete(client);
  }
}
