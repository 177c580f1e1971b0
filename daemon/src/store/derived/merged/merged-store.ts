import { fromDayNumber, MERGED_TYPE_IDS, runsOf } from '@healthd/model';
import type pg from 'pg';
import { inTransaction, tryLockUser } from '../../../platform/database/index.js';
import type { DirtyDays } from '../../facts/dirty-days.js';
import { MERGE_REACH_DAYS, type MergeQuery } from './merge-sources.js';
import { type MergedDay, mergeDays } from './merged-days.js';

/**
 * Merges a range of days and stores the totals in `day_merged`. Stores nothing while a writer holds the user's lock,
 * because the writer's commit may change the totals. Does not wait for the lock.
 * @param deviceOrder identifies the priorities that `query.compare` uses
 */
export function mergeAndCache(
  pool: pg.Pool,
  userKey: number,
  query: MergeQuery,
  deviceOrder: number,
): Promise<MergedDay[]> {
  return inTransaction(pool, async (client) => {
    const isLocked = await tryLockUser(client, userKey);
    const merged = await mergeDays(client, userKey, query);
    if (isLocked && merged.length > 0) await cacheMergedTotals(client, userKey, query, merged, deviceOrder);
    return merged;
  });
}

/** Stores totals for these priorities. Replaces totals for other priorities. The user's row must be locked. */
export async function cacheMergedTotals(
  client: pg.ClientBase,
  userKey: number,
  { provider, account }: Pick<MergeQuery, 'provider' | 'account'>,
  merged: readonly MergedDay[],
  deviceOrder: number,
): Promise<void> {
  await client.query({
    name: 'records-keep-merged',
    text: `insert into day_merged (user_key, provider, device_order, type_id, local_date, total, account)
           select $1, $2, $3, *, $7::text from unnest($4::int2[], $5::date[], $6::float8[])
           on conflict (user_key, type_id, local_date, provider, account) do update
              set total = excluded.total, device_order = excluded.device_order
            where day_merged.device_order <> excluded.device_order or day_merged.total <> excluded.total`,
    values: [
      userKey,
      provider,
      deviceOrder,
      merged.map(({ typeId }) => typeId),
      merged.map(({ day }) => fromDayNumber(day)),
      merged.map(({ total }) => total),
      account ?? '',
    ],
  });
}

/** Removes the merged totals that samples of the dirty days may affect. The user's row must be locked. */
export async function invalidateMergedTotals(
  client: pg.ClientBase,
  userKey: number,
  dirtyDays: DirtyDays,
): Promise<void> {
  const stale = MERGED_TYPE_IDS.flatMap((typeId) =>
    // Days form one run if the ranges that they affect touch.
    runsOf(dirtyDays.daysOf(typeId), { gap: 2 * MERGE_REACH_DAYS }).map(([first, last]) => ({ typeId, first, last })),
  );
  if (stale.length === 0) return;
  await client.query({
    name: 'records-forget-merged',
    text: `delete from day_merged m using unnest($2::int2[], $3::date[], $4::date[]) as stale (type_id, first, last)
            where m.user_key = $1 and m.type_id = stale.type_id and m.local_date between stale.first and stale.last`,
    values: [
      userKey,
      stale.map(({ typeId }) => typeId),
      stale.map(({ first }) => fromDayNumber(first - MERGE_REACH_DAYS)),
      stale.map(({ last }) => fromDayNumber(last + MERGE_REACH_DAYS)),
    ],
  });
}

/** Removes all merged totals of a user, e.g. when a source's device type changes. */
export async function invalidateAllMergedTotals(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query('delete from day_merged where user_key = $1', [userKey]);
}
