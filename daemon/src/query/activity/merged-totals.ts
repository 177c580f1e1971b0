import { dayNumber, fromDayNumber, runsOf } from '@healthd/model';
import type pg from 'pg';
import { inTransaction, statement } from '../../platform/database/index.js';
import { groupedBy } from '../../platform/grouped-by.js';
import type { Priorities } from '../../priorities/index.js';
import { mergeAndCache, mergeDays } from '../../store/derived/index.js';
import { compareInAccount } from '../selection/select-source.js';

/** An account of a provider. Null for pushes, files and unknown accounts. */
export interface MergedAccount {
  provider: string;
  account: string | null;
}

/** Requested totals of one account on one day. */
interface RequestedTotals extends MergedAccount {
  date: string;
  typeIds: readonly number[];
}

/** Returns the total of one day; undefined if its data was deleted concurrently. */
export type MergedTotals = (date: string, account: MergedAccount, typeId: number) => number | undefined;

/** Number of days per transaction. Limits memory and how long writers wait. */
const DAYS_PER_MERGE = 16;

/** Reads a range of day_merged by primary key. Parameters: user, types, first and last date, order of the sources. */
const cachedTotals = statement(
  'activity_merged',
  `select type_id, local_date, provider, nullif(account, '') as account, total from day_merged
   where user_key = $1 and type_id = any ($2::int2[]) and local_date between $3::date and $4::date and device_order = $5`,
);

/** Reads the merged totals of a page of days. Computes missing totals, and caches them if the priorities are in force. */
export async function readMergedTotals(
  pool: pg.Pool,
  userKey: number,
  requested: readonly RequestedTotals[],
  priorities: Priorities,
): Promise<MergedTotals> {
  const totals = new Map<string, number>();
  const keyOf = (date: string, account: MergedAccount, typeId: number) => `${date} ${typeId} ${accountKey(account)}`;
  const totalOf: MergedTotals = (date, account, typeId) => totals.get(keyOf(date, account, typeId));
  if (requested.length === 0) return totalOf;
  const dates = requested.map(({ date }) => date).sort();
  const types = [...new Set(requested.flatMap(({ typeIds }) => typeIds))];
  const { rows } = await pool.query<MergedAccount & { type_id: number; local_date: string; total: number }>(
    cachedTotals([userKey, types, dates[0], dates.at(-1), priorities.deviceOrder]),
  );
  for (const row of rows) totals.set(keyOf(row.local_date, row, row.type_id), row.total);
  const missing = requested.filter((day) => day.typeIds.some((typeId) => totalOf(day.date, day, typeId) === undefined));
  for (const own of groupedBy(missing, accountKey).values()) {
    const { provider, account } = own[0];
    const typeIds = [...new Set(own.flatMap((day) => day.typeIds))];
    const days = own.map(({ date }) => dayNumber(date) as number);
    for (const [firstDay, lastDay] of runsOf(days, { gap: 2, reach: DAYS_PER_MERGE })) {
      const query = { provider, account, typeIds, firstDay, lastDay, compare: compareInAccount(priorities) };
      const merged = priorities.areInForce
        ? await mergeAndCache(pool, userKey, query, priorities.deviceOrder)
        : await inTransaction(pool, (client) => mergeDays(client, userKey, query));
      for (const { day, typeId, total } of merged) totals.set(keyOf(fromDayNumber(day), own[0], typeId), total);
    }
  }
  return totalOf;
}

/** Returns a unique text for the account. */
export function accountKey({ provider, account }: MergedAccount): string {
  return `${provider} ${account ?? ''}`;
}
