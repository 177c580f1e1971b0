import type pg from 'pg';
import { inTransaction } from '../../platform/database/index.js';
import { type EraseUserData, eraseUserIn } from '../erase-user.js';
import { dropPendingErasures, insertErasures, readPendingErasures } from './erasure-rows.js';
import { erasedAmong } from './ledger-lines.js';

/**
 * Erases from a restored database, all or none, the users who were erased after its backup was written. The restore
 * calls it. If the restore was interrupted, the next start calls it before it serves requests.
 * @returns the number of erased users, and their spool files, to be deleted now
 */
export async function applyPendingErasures(
  pool: pg.Pool,
  eraseUserData: EraseUserData,
): Promise<{ erased: number; spoolNames: string[] }> {
  return inTransaction(pool, async (client) => {
    // Takes a lock, so that only one of several processes that start together applies the erasures.
    await client.query("select pg_advisory_xact_lock(hashtext('healthd pending erasures'))");
    const pending = await readPendingErasures(client);
    if (!pending) return { erased: 0, spoolNames: [] };
    const { rows } = await client.query<{ id: string; userKey: number }>(
      'select id, user_key as "userKey" from health_user',
    );
    const found = erasedAmong(rows, pending);
    const spoolNames: string[] = [];
    for (const { user } of found) spoolNames.push(...((await eraseUserIn(client, eraseUserData, user)) ?? []));
    await insertErasures(client, pending);
    await dropPendingErasures(client);
    return { erased: found.length, spoolNames };
  });
}
