import { fromDayNumber, MS_PER_DAY, type ProviderId } from '@healthd/model';
import type pg from 'pg';
import { KeptAnswers } from '../../platform/kept-answers.js';
import type { TermState } from './term-states.js';

/**
 * Rows of one provider: samples from the roll-up of days, so that the cost grows with days, and all sessions and scores.
 * Parameters: provider, cloud only, local date before which rows count or null, ended connections only.
 */
const ROWS = `
with sources as (
  select s.user_key, s.source_id from data_source s
   where s.provider = $1 and (s.from_cloud or not $2::boolean)
     and (not $4::boolean or exists (
       select from connection c where c.user_key = s.user_key and c.provider = $1 and c.status = 'revoked'))
)
select (
  (select coalesce(sum(v.sample_count + v.total_count + v.aggregate_count), 0) from day_value v
     join sources using (user_key, source_id) where $3::date is null or v.local_date < $3::date)
  + (select count(*) from workout w join sources using (user_key, source_id)
      where $3::date is null or w.local_date < $3::date)
  + (select count(*) from sleep_session n join sources using (user_key, source_id)
      where $3::date is null or n.wake_date < $3::date)
  + (select count(*) from menstrual_cycle m join sources using (user_key, source_id)
      where $3::date is null or m.end_at < $3::date)
  + (select count(*) from health_score h join sources using (user_key, source_id)
      where $3::date is null or h.recorded_at < $3::date)
)::int8 as rows`;

/** Counts the rows that terms concern. Counts that take long are shared by all who ask, and kept for minutes. */
export class TermRows {
  readonly #counts = new KeptAnswers<number>();

  constructor(private readonly pool: pg.Pool) {}

  /** Rows that a term would delete or hide now; undefined for terms that do neither. */
  async of(provider: ProviderId, { name, value, state }: TermState): Promise<number | undefined> {
    if (state !== 'asks' && state !== 'acts') return undefined;
    if (name === 'combine') return this.count(provider, { cloudOnly: false });
    if (name === 'onDisconnect') return this.count(provider, { cloudOnly: true, endedOnly: true });
    if (name !== 'cacheDays') return undefined;
    return this.count(provider, { cloudOnly: true, before: firstKeptDate(Number(value), Date.now()) });
  }

  private count(
    provider: ProviderId,
    { cloudOnly, endedOnly = false, before }: { cloudOnly: boolean; endedOnly?: boolean; before?: string },
  ): Promise<number> {
    const values = [provider, cloudOnly, before ?? null, endedOnly];
    return this.#counts.get(JSON.stringify(values), async () => {
      const { rows } = await this.pool.query<{ rows: number }>(ROWS, values);
      return Number(rows[0]?.rows ?? 0);
    });
  }
}

/** First local date that a cache limit still allows. */
function firstKeptDate(cacheDays: number, nowMs: number): string {
  return fromDayNumber(Math.floor(nowMs / MS_PER_DAY) - cacheDays);
}
