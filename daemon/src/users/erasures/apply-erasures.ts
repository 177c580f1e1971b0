import type pg from 'pg';
import { inTransaction } from '../../platform/database/index.js';
import { type EraseUserData, eraseUserIn } from '../erase-user.js';
import { dropPendingErasures, insertErasures, readPendingErasures } from './erasure-rows.js';
import { erasedAmong } from './ledger-lines.js';

/**
 * Erases from a restored database the users who were erased since its backup was written, all or nothing. The restore
 * does it; where that was cut off the next start does, before it serves a request.
 * @returns how many were erased, and the spool files that belonged to them, to be deleted now
 */
export async function applyPendingErasures(
  pool: pg.Pool,
  eraseUserData: EraseUserData,
): Promise<{ erased: number; spoolNames: string[] }> {
  return inTransaction(pool, async (client) => {
    // Only one of the processes that start together does it.
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
