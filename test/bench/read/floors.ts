import { type SeriesCode, seriesTypeIds } from '@healthd/model';

/** A statement that only fetches the rows of a response. */
export interface FloorStatement {
  name: string;
  text: string;
}

function floor(name: string, text: string): FloorStatement {
  return { name: `floor_${name}`, text };
}

const ids = (...codes: SeriesCode[]) => seriesTypeIds(codes).join(', ');
const ACTIVITY = ids(
  'steps',
  'distance_walking_running',
  'flights_climbed',
  'active_time',
  'energy',
  'basal_energy',
  'heart_rate',
);
const NIGHT = ids('heart_rate_variability_sdnn', 'heart_rate_variability_rmssd', 'oxygen_saturation');
const BODY = ids(
  'resting_heart_rate',
  'heart_rate_variability_sdnn',
  'weight',
  'height',
  'body_fat_percentage',
  'body_temperature',
  'blood_pressure_systolic',
  'blood_pressure_diastolic',
);

/** Statements by response type. `$1` is the user. Each endpoint supplies the other parameters. */
export const FLOORS = {
  activity: floor(
    'activity',
    `select v.*, m.heart_rate_bins, m.heart_rate_seconds, m.step_minutes, m.active_minutes, m.heart_rate_minutes
     from day_value v left join day_minutes m on m.user_key = v.user_key and m.local_date = v.local_date
       and m.source_id = v.source_id and v.type_id = ${ids('steps')}
     where v.user_key = $1 and v.type_id in (${ACTIVITY}) and v.local_date >= $2::date and v.local_date < $3::date
       and $4::int > 0`,
  ),
  sleep: floor(
    'sleep',
    `select * from sleep_session where user_key = $1 and wake_date >= $2::date and wake_date < $3::date
     order by wake_date limit $4`,
  ),
  recovery: floor(
    'recovery',
    `select n.*, v.sample_sum from night_value n
     left join day_value v on v.user_key = $1 and v.type_id = ${ids('resting_heart_rate')} and v.local_date = n.wake_date
     where n.user_key = $1 and n.wake_date >= $2::date and n.wake_date < $3::date and n.type_id in (${NIGHT})
     order by n.wake_date limit 3 * $4`,
  ),
  body: floor(
    'body',
    `select start_at, value from unnest(array[${BODY}]::int2[]) as wanted(type_id)
     cross join lateral (select start_at, value from sample s where s.user_key = $1 and s.type_id = wanted.type_id
       order by start_at desc limit 7) newest`,
  ),
  data: floor(
    'data',
    `select type_id, source_id, sum(sample_count), max(last_at) from day_value where user_key = $1 group by 1, 2`,
  ),
  gaps: floor('gaps', 'select type_id, source_id, local_date from day_value where user_key = $1'),
  rawPage: floor(
    'raw_page',
    `select start_at, type_id, source_id, slot, value, offset_minutes from unnest($2::int2[]) as wanted(type)
     cross join lateral (select * from sample s where s.user_key = $1 and s.type_id = wanted.type
       and s.start_at >= $3::timestamptz and s.start_at < $4::timestamptz order by s.start_at limit $5) page
     order by start_at limit $5`,
  ),
  buckets: floor(
    'buckets',
    `select date_bin($5::interval, start_at, timestamptz 'epoch'), type_id, source_id, sum(value) from sample
     where user_key = $1 and type_id = any ($2::int2[]) and start_at >= $3::timestamptz and start_at < $4::timestamptz
     group by 1, 2, 3 order by 1, 2, 3`,
  ),
  workouts: floor(
    'workouts',
    `select * from workout where user_key = $1 and start_at >= $2::date and start_at < $3::date
     order by start_at desc limit $4`,
  ),
  workout: floor(
    'workout',
    `select w.*, s.start_at as at, s.value from (select * from workout where user_key = $1 order by start_at desc limit 1) w
     join sample s on s.user_key = $1 and s.type_id = ${ids('heart_rate')} and s.start_at >= w.start_at
       and s.start_at < w.end_at`,
  ),
  sessions: floor(
    'sessions',
    `select * from sleep_session where user_key = $1 and start_at >= $2::date and start_at < $3::date
     order by start_at desc limit $4`,
  ),
  scores: floor('scores', 'select * from health_score where user_key = $1 order by recorded_at desc limit 50'),
  sources: floor('sources', 'select * from data_source where user_key = $1'),
} as const;
