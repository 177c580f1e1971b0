import { dayNumber, fromDayNumber, runsOf } from '@healthd/model';
import type pg from 'pg';
import { inTransaction, statement } from '../../platform/database/index.js';
import type { Priorities } from '../../priorities/index.js';
import { mergeAndCache, mergeDays } from '../../store/derived/index.js';

/** Totals wanted of one provider on one day. */
export interface WantedTotals {
  date: string;
  provider: string;
  typeIds: readonly number[];
}

/** Days merged in one transaction: bounds memory, and how long a writer waits. */
const DAYS_PER_MERGE = 16;

/** Parameters: user, types, first and last date, order of device types. A range of day_merged's primary key. */
const cachedTotals = statement(
  'activity_merged',
  `select type_id, local_date, provider, total from day_merged
   where user_key = $1 and type_id = any ($2::int2[]) and local_date between $3::date and $4::date and device_order = $5`,
);

/** Merged totals of a page of days: cached ones, and the missing ones computed and, with priorities in force, cached. */
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
    const missing = wanted.filter(({ date, provider, typeIds }) =>
      typeIds.some((typeId) => result.get(date, provider, typeId) === undefined),
    );
    for (const provider of new Set(missing.map((day) => day.provider))) {
      await result.make(
        provider,
        missing.filter((day) => day.provider === provider),
      );
    }
    return result;
  }

  /** Undefined where the data has gone meanwhile. */
  get(date: string, provider: string, typeId: number): number | undefined {
    return this.totals.get(`${date} ${typeId} ${provider}`);
  }

  private set(date: string, provider: string, typeId: number, total: number): void {
    this.totals.set(`${date} ${typeId} ${provider}`, total);
  }

  private async read(wanted: readonly WantedTotals[]): Promise<void> {
    const dates = wanted.map(({ date }) => date).sort();
    const typeIds = [...new Set(wanted.flatMap((day) => day.typeIds))];
    const { rows } = await this.pool.query<{ type_id: number; local_date: string; provider: string; total: number }>(
      cachedTotals([this.userKey, typeIds, dates[0], dates.at(-1), this.priorities.deviceOrder]),
    );
    for (const { local_date, provider, type_id, total } of rows) this.set(local_date, provider, type_id, total);
  }

  private async make(provider: string, missing: readonly WantedTotals[]): Promise<void> {
    const typeIds = [...new Set(missing.flatMap((day) => day.typeIds))];
    const days = missing.map(({ date }) => dayNumber(date) as number);
    for (const [firstDay, lastDay] of runsOf(days, { gap: 2, reach: DAYS_PER_MERGE })) {
      const query = { provider, typeIds, firstDay, lastDay, compare: this.priorities.compare.bind(this.priorities) };
      const merged = this.priorities.areInForce
        ? await mergeAndCache(this.pool, this.userKey, query, this.priorities.deviceOrder)
        : await inTransaction(this.pool, (client) => mergeDays(client, this.userKey, query));
      for (const { day, typeId, total } of merged) this.set(fromDayNumber(day), provider, typeId, total);
    }
  }
}
