import { fromDayNumber, MS_PER_DAY, type ProviderId } from '@healthd/model';
import type pg from 'pg';
import { ResultCache } from '../../platform/result-cache.js';
import type { TermState } from './term-states.js';

/**
 * Returns an SQL condition that is true if the user or the operator ended the connection here, or the user ended it at
 * the vendor. An invalid token does not count: a wrong client secret must not delete all users' data.
 */
export const ENDED_BY_PERSON = (connection: string) =>
  `(${connection}.status = 'revoked' and ${connection}.status_reason in ('user_disconnected', 'deregistered', 'push_allowed'))`;

/** Also filters rows by user, because without statistics the planner would read all users' rows for a single user. */
const OF_ROW = (row: string, date: string) =>
  `($3::date is null or ${row}.${date} < $3::date) and ($5::int8 is null or ${row}.user_key = $5)`;

/**
 * Rows of one provider: samples from the daily roll-up, so that the cost grows with days, and all sessions and scores.
 * Parameters: provider, true for cloud data only, first local date to exclude or null, true for ended connections only,
 * user or null.
 */
const ROWS = `
with sources as (
  select s.user_key, s.source_id from data_source s
   where s.provider = $1 and (s.from_cloud or not $2::boolean) and ($5::int8 is null or s.user_key = $5)
     and (not $4::boolean or exists (
       select from connection c where c.user_key = s.user_key and c.provider = $1 and ${ENDED_BY_PERSON('c')}))
)
select (
  (select coalesce(sum(v.sample_count + v.total_count + v.aggregate_count), 0) from day_value v
     join sources using (user_key, source_id) where ${OF_ROW('v', 'local_date')})
  + (select count(*) from workout w join sources using (user_key, source_id) where ${OF_ROW('w', 'local_date')})
  + (select count(*) from sleep_session n join sources using (user_key, source_id) where ${OF_ROW('n', 'wake_date')})
  + (select count(*) from menstrual_cycle m join sources using (user_key, source_id) where ${OF_ROW('m', 'end_at')})
  + (select count(*) from health_score h join sources using (user_key, source_id) where ${OF_ROW('h', 'recorded_at')})
)::int8 as rows`;

/** Counts the rows that terms affect. Shares slow counts between callers and caches them for minutes. */
export class TermRows {
  readonly #counts = new ResultCache<number>();

  constructor(private readonly pool: pg.Pool) {}

  /** Returns the number of rows that a pending or accepted term would delete or hide now; undefined for other terms. */
  async of(provider: ProviderId, { name, value, state }: TermState): Promise<number | undefined> {
    if (state !== 'asks' && state !== 'acts') return undefined;
    if (name === 'combine') return this.count(provider, { cloudOnly: false });
    if (name === 'onDisconnect') return this.count(provider, { cloudOnly: true, endedOnly: true });
    if (name !== 'cacheDays') return undefined;
    return this.count(provider, { cloudOnly: true, before: fromDayNumber(firstStoredDay(Number(value), Date.now())) });
  }

  private count(provider: ProviderId, filter: RowFilter): Promise<number> {
    return this.#counts.get(JSON.stringify([provider, filter]), () => countRows(this.pool, provider, filter));
  }
}

interface RowFilter {
  /** True to exclude data from phones and files. */
  cloudOnly: boolean;
  /** True to count only users who ended their connection. */
  endedOnly?: boolean;
  /** Counts only local dates before this one. */
  before?: string;
  userKey?: number;
}

/** Counts the rows of a provider. */
export async function countRows(
  database: pg.Pool | pg.ClientBase,
  provider: ProviderId,
  { cloudOnly, endedOnly = false, before, userKey }: RowFilter,
): Promise<number> {
  const values = [provider, cloudOnly, before ?? null, endedOnly, userKey ?? null];
  const { rows } = await (database as pg.Pool).query<{ rows: number }>(ROWS, values);
  return Number(rows[0]?.rows ?? 0);
}

/**
 * Returns the first local day that a cache limit retains: today's date in UTC minus the limit. The limit is the same
 * date for all users, although rows have local dates. All users' data of a date is therefore deleted in the same run,
 * as for archival.
 */
export function firstStoredDay(cacheDays: number, nowMs: number): number {
  return Math.floor(nowMs / MS_PER_DAY) - cacheDays;
}
