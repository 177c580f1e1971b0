import { statement } from '../../platform/database/index.js';

/** Consecutive days with data of one type from one provider. */
export interface RunOfDaysRow {
  provider: string;
  /** A type id as text, `sleep` or `workouts`. */
  data_type: string;
  first_date: string;
  last_date: string;
  connection_status: 'active' | 'revoked' | 'expired' | null;
}

/**
 * Runs of days, from roll-ups by their primary key and from sessions by day: cost grows with days, not with samples.
 * Parameters: user, first date or null, date after the last or null.
 */
export const runsOfDays = statement(
  'data_gaps_runs',
  `with present as (
     select s.provider, v.type_id::text as data_type, v.local_date as day
     from day_value v join data_source s on s.user_key = $1 and s.source_id = v.source_id
     where v.user_key = $1 and ($2::date is null or v.local_date >= $2) and ($3::date is null or v.local_date < $3)
     group by s.provider, v.type_id, v.local_date
     union all
     select s.provider, 'sleep', n.wake_date
     from sleep_session n join data_source s on s.user_key = $1 and s.source_id = n.source_id
     where n.user_key = $1 and not n.is_nap
       and ($2::date is null or n.wake_date >= $2) and ($3::date is null or n.wake_date < $3)
     group by s.provider, n.wake_date
     union all
     select s.provider, 'workouts', w.local_date
     from workout w join data_source s on s.user_key = $1 and s.source_id = w.source_id
     where w.user_key = $1 and ($2::date is null or w.local_date >= $2) and ($3::date is null or w.local_date < $3)
     group by s.provider, w.local_date
   ), numbered as (
     select provider, data_type, day,
       day - row_number() over (partition by provider, data_type order by day)::int as run
     from present
   )
   select n.provider, n.data_type, min(n.day) as first_date, max(n.day) as last_date, c.status as connection_status
   from numbered n left join connection c on c.user_key = $1 and c.provider = n.provider
   group by n.provider, n.data_type, n.run, c.status
   order by n.provider, n.data_type, first_date`,
);
