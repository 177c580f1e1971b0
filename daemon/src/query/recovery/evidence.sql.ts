import { sampleKind, statement } from '../../platform/database/index.js';
import type { SleepSessionRow } from '../events/sleep-sessions.sql.js';
import { nearestOffset } from '../nearest-offset.js';
import type { NightSession } from '../sleep/nights.sql.js';
import { OVERLAPPED_STAGES } from '../sleep/overlapped-stages.sql.js';
import { SOURCE_COLUMNS, type SourceRow } from '../sources.js';

export type RecoverySession = SourceRow &
  Pick<SleepSessionRow, 'start_at' | 'end_at' | 'is_nap' | 'asleep_seconds' | 'in_bed_seconds' | 'efficiency_percent'> &
  Pick<NightSession, 'overlapped_stages'> & { wake_date: string };

/** Nights and naps around the range, by index on (user_key, wake_date). Parameters: user, from, before. */
export const recoverySessions = statement(
  'recovery_sessions',
  `select n.wake_date, n.start_at, n.end_at, n.is_nap, n.asleep_seconds, n.in_bed_seconds, n.efficiency_percent,
     ${OVERLAPPED_STAGES}, ${SOURCE_COLUMNS}
   from sleep_session n join data_source s on s.user_key = $1 and s.source_id = n.source_id
   where n.user_key = $1 and n.wake_date >= $2::date - 3 and n.wake_date < $3::date + 3
   order by n.wake_date, n.start_at, n.id`,
);

/** One night of a provider (`source_id` null; counts of the window and asleep) or one local day of a source. */
export interface RolledRow extends Omit<SourceRow, 'source_id'> {
  source_id: number | null;
  date: string;
  type_id: number;
  sample_count: number;
  sample_sum: number | null;
  sample_min: number | null;
  sample_max: number | null;
  total_count: number;
  aggregate_count: number;
  aggregate_sum: number | null;
  asleep_count: number;
  asleep_sum: number | null;
}

/** Roll-ups by their primary keys. Parameters: user, from, before, types. */
export const recoveryRollups = statement(
  'recovery_rollups',
  `select n.wake_date as date, n.type_id, n.window_count as sample_count, n.window_sum as sample_sum,
     null::float8 as sample_min, null::float8 as sample_max, 0 as total_count, n.aggregate_count, n.aggregate_sum,
     n.asleep_count, n.asleep_sum, null::int4 as source_id, n.provider, null as device_model, null as writer,
     null as device_type
   from night_value n
   where n.user_key = $1 and n.wake_date >= $2::date and n.wake_date < $3::date and n.type_id = any ($4::int2[])
   union all
   select v.local_date, v.type_id, v.sample_count, v.sample_sum, v.sample_min, v.sample_max, v.total_count,
     v.aggregate_count, v.aggregate_sum, 0, null, ${SOURCE_COLUMNS}
   from day_value v join data_source s on s.user_key = $1 and s.source_id = v.source_id
   where v.user_key = $1 and v.local_date >= $2::date - 1 and v.local_date < $3::date + 1
     and v.type_id = any ($4::int2[])`,
);

/** A value that stands for a night or a date: a resting heart rate, a sample stamped with a date, a score. */
export interface StampedRow extends SourceRow {
  /** Null for a score. */
  type_id: number | null;
  kind: number | null;
  at: Date;
  own_offset: number | null;
  /** The record's own offset, else the nearest known one. */
  offset_minutes: number;
  value: number | null;
  components: Record<string, { value?: number | null } | null> | null;
}

/**
 * Resting heart rates (about one a day) and scores by their keys; of the other series only what is stamped with exactly
 * midnight UTC and no offset, one probe of the primary key per type and day with data.
 * Parameters: user, from, before, other types, type id of resting heart rate.
 */
export const recoveryStamps = statement(
  'recovery_stamps',
  `with stamped as (
     select h.source_id, h.type_id, ${sampleKind('h.')} as kind, h.start_at as at, h.offset_minutes, h.value, null::jsonb as components
     from sample h
     where h.user_key = $1 and h.type_id = $5::int2 and h.start_at >= $2::date - 3 and h.start_at < $3::date + 3
     union all
     select m.source_id, m.type_id, ${sampleKind('m.')}, m.start_at, m.offset_minutes, m.value, null
     from (
       select distinct v.type_id, v.local_date + day as date from day_value v cross join (values (0), (1)) as next(day)
       where v.user_key = $1 and v.local_date >= $2::date - 2 and v.local_date < $3::date + 1
         and v.type_id = any ($4::int2[])
     ) probe
     join sample m on m.user_key = $1 and m.type_id = probe.type_id
       and m.start_at = probe.date::timestamp at time zone 'UTC'
     where m.offset_minutes is null
     union all
     select c.source_id, null, null, c.recorded_at, c.offset_minutes, c.value, c.components
     from health_score c
     where c.user_key = $1 and c.category = 'recovery' and c.recorded_at >= $2::date - 3 and c.recorded_at < $3::date + 3
   )
   select m.type_id, m.kind, m.at, m.offset_minutes as own_offset,
     coalesce(m.offset_minutes, near.offset_minutes, 0) as offset_minutes, m.value, m.components, ${SOURCE_COLUMNS}
   from stamped m join data_source s on s.user_key = $1 and s.source_id = m.source_id
   left join lateral (
     ${nearestOffset('m.at', 'm.offset_minutes is null')}
   ) near on true
   order by m.at, m.source_id`,
);
