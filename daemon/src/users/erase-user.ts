import type { ConsentEnd } from '@healthd/contract';
import type pg from 'pg';
import { inTransaction, lockUserForErasure } from '../platform/database/index.js';
import { insertErasures } from './erasures/erasure-rows.js';
import type { ErasureEntry } from './erasures/ledger-lines.js';
import { countErased, insertReceipt } from './erasures/receipts.js';

/** Deletes what is stored of one user beside their own row, and no foreign key removes, within the caller's transaction. */
export type EraseUserData = (client: pg.PoolClient, user: { id: string; userKey: number }) => Promise<void>;

/** What the receipt of an erasure is made from, beside what is counted. */
export interface ReceiptFacts {
  id: string;
  entry: ErasureEntry;
  /** What became of the consent of each connection, by its id. */
  consents: ReadonlyMap<string, ConsentEnd>;
}

/**
 * Removes a user and everything held about them in one transaction, waiting for a write of their data that is under way.
 * The transaction also notes that they were erased, and how much that was.
 * @returns their files of the spool, to be deleted after the commit; undefined when the user is gone
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
