import type { ConsentEnd } from '@healthd/contract';
import type pg from 'pg';
import { inTransaction, lockUserForErasure } from '../platform/database/index.js';
import { insertErasures } from './erasures/erasure-rows.js';
import type { ErasureEntry } from './erasures/ledger-lines.js';
import { countErased, insertReceipt } from './erasures/receipts.js';

/**
 * Deletes a user's data in other tables that no foreign key deletes with the user's row. Runs in the caller's
 * transaction.
 */
export type EraseUserData = (client: pg.PoolClient, user: { id: string; userKey: number }) => Promise<void>;

/** Data of an erasure receipt in addition to its counts. */
export interface ReceiptFacts {
  id: string;
  entry: ErasureEntry;
  /** Outcome of each connection's consent, by connection ID. */
  consents: ReadonlyMap<string, ConsentEnd>;
}

/**
 * Erases a user and all of their data in one transaction, after waiting for running writes. The transaction also stores
 * the erasure and its receipt.
 * @returns the user's spool files, to be deleted after the commit; undefined if the user was already deleted
 */
export async function eraseUser(
  pool: pg.Pool,
  eraseUserData: EraseUserData,
  user: { id: string; userKey: number },
  { id, entry, consents }: ReceiptFacts,
): Promise<string[] | undefined> {
  return inTransaction(pool, async (client) => {
    if (!(await lockUserForErasure(client, user.userKey))) return undefined;
    const erased = await countErased(client, user.userKey, consents);
    const files = await eraseUserIn(client, eraseUserData, user);
    if (!files) return undefined;
    await insertErasures(client, [entry]);
    await insertReceipt(client, id, entry, erased);
    return files;
  });
}

/**
 * Erases a user in the caller's transaction. The caller records the erasure there. @returns the user's spool files;
 * undefined if the user does not exist
 */
export async function eraseUserIn(
  client: pg.PoolClient,
  eraseUserData: EraseUserData,
  user: { id: string; userKey: number },
): Promise<string[] | undefined> {
  if (!(await lockUserForErasure(client, user.userKey))) return undefined;
  await eraseUserData(client, user);
  // Reads the file names first, because their rows are deleted with the user.
  const files = await client.query<{ spool_name: string }>('select spool_name from import_file where user_key = $1', [
    user.userKey,
  ]);
  await client.query('delete from health_user where user_key = $1', [user.userKey]);
  return files.rows.map((row) => row.spool_name);
}
