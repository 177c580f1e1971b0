import type pg from 'pg';
import { inTransaction, lockUserForErasure } from '../platform/database/index.js';
import { insertErasures } from './erasures/erasure-rows.js';
import type { ErasureEntry } from './erasures/ledger-lines.js';

/** Deletes all health data of one user within the caller's transaction. */
export type EraseUserData = (client: pg.PoolClient, userKey: number) => Promise<void>;

/**
 * Removes a user and everything held about them in one transaction, waiting for a write of their data that is under way.
 * The transaction also notes that they were erased.
 * Returns the spool files that belonged to them, to be deleted after the commit; undefined when the user is gone.
 */
export async function eraseUser(
  pool: pg.Pool,
  eraseUserData: EraseUserData,
  user: { id: string; userKey: number },
  entry: ErasureEntry,
): Promise<string[] | undefined> {
  return inTransaction(pool, async (client) => {
    const files = await eraseUserIn(client, eraseUserData, user);
    if (files) await insertErasures(client, [entry]);
    return files;
  });
}

/** The same in the caller's transaction, which notes the erasure. */
export async function eraseUserIn(
  client: pg.PoolClient,
  eraseUserData: EraseUserData,
  user: { id: string; userKey: number },
): Promise<string[] | undefined> {
  if (!(await lockUserForErasure(client, user.userKey))) return undefined;
  await eraseUserData(client, user.userKey);
  const files = await client.query<{ spool_name: string }>(
    'delete from import_file where user_key = $1 returning spool_name',
    [user.userKey],
  );
  await client.query('delete from refresh_token where user_id = $1', [user.id]);
  // Vendors name people by accounts of theirs; what they reported of an account that another user shares stays.
  await client.query(
    `delete from provider_notification n using connection c
      where c.user_key = $1 and n.provider = c.provider and n.provider_user_id = c.provider_user_id
        and not exists (select 1 from connection o where o.provider = c.provider
                           and o.provider_user_id = c.provider_user_id and o.user_key <> c.user_key)`,
    [user.userKey],
  );
  await client.query('delete from health_user where user_key = $1', [user.userKey]);
  return files.rows.map((row) => row.spool_name);
}
