import { sampleKind, statement } from '../../platform/database/index.js';

/** Samples of one series from one provider. `last_at` of a value that stands for a date is the start that it has. */
export interface SeriesCountRow {
  provider: string;
  type_id: number;
  points: number;
  last_at: Date;
}

/**
 * By the primary key of day_value; days, not samples: three years of one user in 3 ms. Roll-ups know the last instant of
 * ordinary samples only: where the last day of a series and source has none, its dated values are looked up.
 * Parameters: user, first date or null, date after the last or null.
 */
export const seriesCounts = statement(
  'data_series_counts',
  `select s.provider, v.type_id, sum(v.points)::int8 as points,
     max(greatest(v.last_at, case when v.dated is null then null
       else coalesce(own.start_at, v.dated::timestamp at time zone 'UTC') end)) as last_at
   from (
     select type_id, source_id, sum(sample_count + total_count + aggregate_count) as points, max(last_at) as last_at,
       max(local_date) filter (where last_at is null) as dated, max(local_date) as last_date
     from day_value
     where user_key = $1 and local_date >= coalesce($2::date, '-infinity') and local_date < coalesce($3::date, 'infinity')
     group by type_id, source_id
   ) v
   join data_source s on s.user_key = $1 and s.source_id = v.source_id
   left join lateral (
     select max(m.start_at) as start_at from sample m
     where v.dated = v.last_date and m.user_key = $1 and m.type_id = v.type_id and m.source_id = v.source_id
       and ${sampleKind('m.')} <> 0
       and m.start_at >= v.dated::timestamp at time zone 'UTC' - interval '18 hours'
       and m.start_at < v.dated::timestamp at time zone 'UTC' + interval '42 hours'
       and (m.start_at at time zone 'UTC' + coalesce(m.offset_minutes, 0) * interval '1 minute')::date = v.dated
   ) own on true
   group by s.provider, v.type_id`,
);

/** Workouts of one type from one provider. */
export interface WorkoutCountRow {
  provider: string;
  type: string;
  workouts: number;
}

/** By index on (user_key, local_date). Parameters as above. */
export const workoutCounts = statement(
  'data_workout_counts',
  `select s.provider, w.type, count(*) as workouts
   from workout w join data_source s on s.user_key = $1 and s.source_id = w.source_id
   where w.user_key = $1 and w.local_date >= coalesce($2::date, '-infinity') and w.local_date < coalesce($3::date, 'infinity')
   group by s.provider, w.type`,
);

/** Nights and naps of one provider. */
export interface SleepCountRow {
  provider: string;
  sessions: number;
}

/** By index on (user_key, wake_date). Parameters as above. */
export const sleepCounts = statement(
  'data_sleep_counts',
  `select s.provider, count(*) as sessions
   from sleep_session n join data_source s on s.user_key = $1 and s.source_id = n.source_id
   where n.user_key = $1 and n.wake_date >= coalesce($2::date, '-infinity') and n.wake_date < coalesce($3::date, 'infinity')
   group by s.provider`,
);

/** Whether any cycle touches the days. Parameters as above. */
export const cyclesPresent = statement(
  'data_cycles_present',
  `select exists (
     select from menstrual_cycle
     where user_key = $1 and end_at >= coalesce($2::date, '-infinity') and start_at < coalesce($3::date, 'infinity')
   ) as present`,
);
