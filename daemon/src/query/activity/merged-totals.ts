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
export interface WantedTotals extends MergedAccount {
  date: string;
  typeIds: readonly number[];
}

/** Number of days per transaction. Limits memory and the wait of writers. */
const DAYS_PER_MERGE = 16;

/** Reads a range of day_merged by primary key. Parameters: user, types, first and last date, order of the sources. */
const cachedTotals = statement(
  'activity_merged',
  `select type_id, local_date, provider, nullif(account, '') as account, total from day_merged
   where user_key = $1 and type_id = any ($2::int2[]) and local_date between $3::date and $4::date and device_order = $5`,
);

/** Merged totals of a page of days. Computes missing totals, and caches them if the priorities are in force. */
export class MergedTotals {
  private readonly totals = new Map<string, number>();

  private constructor(
    private readonly pool: pg.Pool,
    private readonly userKey: number,
    private readonly priorities: Priorities,
  ) {}

  static async load(
    pool: pg.Pool,
    userKey: number,
    wanted: readonly WantedTotals[],
    priorities: Priorities,
  ): Promise<MergedTotals> {
    const result = new MergedTotals(pool, userKey, priorities);
    if (wanted.length === 0) return result;
    await result.read(wanted);
    const missing = wanted.filter((day) =>
      day.typeIds.some((typeId) => result.get(day.date, day, typeId) === undefined),
    );
    for (const own of groupedBy(missing, accountKey).values()) await result.make(own);
    return result;
  }

  /** Returns undefined if the data was deleted concurrently. */
  get(date: string, account: MergedAccount, typeId: number): number | undefined {
    return this.totals.get(`${date} ${typeId} ${accountKey(account)}`);
  }

  private set(date: string, account: MergedAccount, typeId: number, total: number): void {
    this.totals.set(`${date} ${typeId} ${accountKey(account)}`, total);
  }

  private async read(wanted: readonly WantedTotals[]): Promise<void> {
    const dates = wanted.map(({ date }) => date).sort();
    const typeIds = [...new Set(wanted.flatMap((day) => day.typeIds))];
    const { rows } = await this.pool.query<MergedAccount & { type_id: number; local_date: string; total: number }>(
      cachedTotals([this.userKey, typeIds, dates[0], dates.at(-1), this.priorities.deviceOrder]),
    );
    for (const row of rows) this.set(row.local_date, row, row.type_id, row.total);
  }

  /** @param missing days of one account */
  private async make(missing: readonly WantedTotals[]): Promise<void> {
    const { provider, account } = missing[0] as WantedTotals;
    const typeIds = [...new Set(missing.flatMap((day) => day.typeIds))];
    const days = missing.map(({ date }) => dayNumber(date) as number);
    for (const [firstDay, lastDay] of runsOf(days, { gap: 2, reach: DAYS_PER_MERGE })) {
      const compare = compareInAccount(this.priorities);
      const query = { provider, account, typeIds, firstDay, lastDay, compare };
      const merged = this.priorities.areInForce
        ? await mergeAndCache(this.pool, this.userKey, query, this.priorities.deviceOrder)
        : await inTransaction(this.pool, (client) => mergeDays(client, this.userKey, query));
      for (const { day, typeId, total } of merged)
        this.set(fromDayNumber(day), missing[0] as WantedTotals, typeId, total);
    }
  }
}

/** Returns a unique text for the account. */
export function accountKey({ provider, account }: MergedAccount): string {
  return `${provider} ${account ?? ''}`;
}
