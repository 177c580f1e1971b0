import { statement } from '../../platform/database/index.js';
import { SESSION_FIGURES, type SessionFigures, type StoredStage } from '../events/sleep-sessions.sql.js';
import { SOURCE_COLUMNS } from '../sources.js';
import { OVERLAPPED_STAGES } from './overlapped-stages.sql.js';

/** One session of a day with what its stages say about waking up. */
export interface NightSession extends SessionFigures {
  /** Times awake for a minute or more while asleep; null where the stages do not distinguish waking from sleeping. */
  awakenings: number | null;
  /** Null where no other session of the source overlaps this one. */
  overlapped_stages: StoredStage[] | null;
}

/** All null but `days` when the page has no day. `days` counts the days of the whole range. */
export interface NightRow extends NightSession {
  days: number;
  wake_date: string | null;
}

/**
 * A page of wake dates with all their sessions, by index on (user_key, wake_date): from the first date of the page to
 * the last, because a join on the dates is planned as the product of both. Sources are chosen after this, so a page
 * always holds as many days as asked for. Parameters: user, from, before, position or null, limit + 1.
 */
function nights(name: string, after: '>' | '<', order: 'asc' | 'desc') {
  return statement(
    name,
    `with present as materialized (
       select distinct wake_date from sleep_session
       where user_key = $1 and wake_date >= $2::date and wake_date < $3::date
     ), page as (
       select min(wake_date) as first_date, max(wake_date) as last_date from (
         select wake_date from present
         where $4::date is null or wake_date ${after} $4::date
         order by wake_date ${order} limit $5
       ) shown
     )
     select counted.days, n.wake_date, ${SESSION_FIGURES}, n.awakenings, ${OVERLAPPED_STAGES},
       ${SOURCE_COLUMNS}
     from (select count(*) as days from present) counted
     cross join page
     left join sleep_session n on n.user_key = $1
       and n.wake_date >= page.first_date and n.wake_date <= page.last_date
     left join data_source s on s.user_key = $1 and s.source_id = n.source_id
     order by n.wake_date ${order}, n.start_at, n.id`,
  );
}

export const nightsForward = nights('sleep_nights_forward', '>', 'asc');
export const nightsBackward = nights('sleep_nights_backward', '<', 'desc');

/** What one provider measured in one night, or says of the date of waking (`is_dated`; counts of the window alone). */
export interface NightValueRow {
  wake_date: string;
  provider: string;
  type_id: number;
  is_dated: boolean;
  asleep_count: number;
  asleep_sum: number;
  window_count: number;
  window_sum: number;
  aggregate_count: number;
  aggregate_sum: number;
}

/**
 * By the primary keys of night_value and day_value. Parameters: user, dates, types, types whose values have the date of
 * their night.
 */
export const nightValues = statement(
  'sleep_night_values',
  `select wake_date, provider, type_id, false as is_dated, asleep_count, asleep_sum, window_count, window_sum,
     aggregate_count, aggregate_sum
   from night_value
   where user_key = $1 and wake_date = any ($2::date[]) and type_id = any ($3::int2[])
   union all
   select v.local_date, s.provider, v.type_id, true, 0, 0, sum(v.total_count)::int4, sum(v.total_sum), 0, 0
   from day_value v join data_source s on s.user_key = $1 and s.source_id = v.source_id
   where v.user_key = $1 and v.local_date = any ($2::date[]) and v.type_id = any ($4::int2[]) and v.total_count > 0
   group by v.local_date, s.provider, v.type_id`,
);
