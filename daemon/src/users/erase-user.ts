import type { ConsentEnd } from '@healthd/contract';
import type pg from 'pg';
import { inTransaction, lockUserForErasure } from '../platform/database/index.js';
import { insertErasures } from './erasures/erasure-rows.js';
import type { ErasureEntry } from './erasures/ledger-lines.js';
import { countErased, insertReceipt } from './erasures/receipts.js';

/** Deletes what is stored of one user beside their own row, and no foreign key removes, within the caller's transaction. */
export type EraseUserData = (client: pg.PoolClient, user: { id: string; userKey: number }) => Promise<void>;

/** What remains to be done after a user was erased. */
export interface ErasedUser {
  /** Files of the spool that belonged to them, to be deleted after the commit. */
  files: string[];
  receiptId: string;
}

/**
 * Removes a user and everything held about them in one transaction, waiting for a write of their data that is under way.
 * The transaction also notes that they were erased, and how much that was.
 * @param consents what became of the consent of each connection, by its id
 * @returns undefined when the user is gone
 */
export async function eraseUser(
  pool: pg.Pool,
  eraseUserData: EraseUserData,
  user: { id: string; userKey: number },
  entry: ErasureEntry,
  consents: ReadonlyMap<string, ConsentEnd>,
): Promise<ErasedUser | undefined> {
  return inTransaction(pool, async (client) => {
    if (!(await lockUserForErasure(client, user.userKey))) return undefined;
    const erased = await countErased(client, user.userKey, consents);
    const files = await eraseUserIn(client, eraseUserData, user);
    if (!files) return undefined;
    await insertErasures(client, [entry]);
    return { files, receiptId: await insertReceipt(client, entry, erased) };
  });
}

/** Removes a user in the caller's transaction, which notes the erasure. @returns their files of the spool */
export async function eraseUserIn(
  client: pg.PoolClient,
  eraseUserData: EraseUserData,
  user: { id: string; userKey: number },
): Promise<string[] | undefined> {
  if (!(await lockUserForErasure(client, user.userKey))) return undefined;
  await eraseUserData(client, user);
  // The rows of the files go with the user's own.
  const files = await client.query<{ spool_name: string }>('select spool_name from import_file where user_key = $1', [
    user.userKey,
  ]);
  await client.query('delete from health_user where user_key = $1', [user.userKey]);
  return files.rows.map((row) => row.spool_name);
}
