import { seriesTypeById } from '@healthd/model';
import type { DataSummary, DateOrInstant } from '@healthd/schemas';
import type pg from 'pg';
import { sampleKind, statement } from '../../platform/database/index.js';
import { dayBounds, OPEN_END, OPEN_START } from '../bounds.js';
import { instantText } from '../presentation.js';

/** Samples of one series from one provider. For a value of a whole date, `last_at` is the start of the date. */
interface SeriesCountRow {
  provider: string;
  type_id: number;
  points: number;
  last_at: Date;
}

/**
 * Reads days instead of samples, by primary key of day_value: three years of one user take 3 ms. Roll-ups contain the last
 * instant of ordinary samples only. If the last day of a series and source has no ordinary sample, its dated values are
 * looked up.
 * Parameters: user, first date or null, date after the last or null.
 */
const seriesCounts = statement(
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
interface WorkoutCountRow {
  provider: string;
  type: string;
  workouts: number;
}

/**
 * Counts workouts by index on (user_key, local_date), and looks up each source once. Same parameters as `seriesCounts`.
 */
const workoutCounts = statement(
  'data_workout_counts',
  `select s.provider, w.type, sum(w.workouts)::int8 as workouts
   from (
     select source_id, type, count(*) as workouts from workout
     where user_key = $1 and local_date >= coalesce($2::date, '-infinity') and local_date < coalesce($3::date, 'infinity')
     group by source_id, type
   ) w join data_source s on s.user_key = $1 and s.source_id = w.source_id
   group by s.provider, w.type`,
);

/** Nights and naps of one provider. */
interface SleepCountRow {
  provider: string;
  sessions: number;
}

/** Counts sessions by index on (user_key, wake_date), and looks up each source once. Same parameters as `seriesCounts`. */
const sleepCounts = statement(
  'data_sleep_counts',
  `select s.provider, sum(n.sessions)::int8 as sessions
   from (
     select source_id, count(*) as sessions from sleep_session
     where user_key = $1 and wake_date >= coalesce($2::date, '-infinity') and wake_date < coalesce($3::date, 'infinity')
     group by source_id
   ) n join data_source s on s.user_key = $1 and s.source_id = n.source_id
   group by s.provider`,
);

/** True if a cycle touches the days. Same parameters as `seriesCounts`. */
const cyclesPresent = statement(
  'data_cycles_present',
  `select exists (
     select from menstrual_cycle
     where user_key = $1 and end_at >= coalesce($2::date, '-infinity') and start_at < coalesce($3::date, 'infinity')
   ) as present`,
);

/** Summarizes the stored data of a user from roll-ups; without bounds, all of it. Needs four statements. */
export async function readDataSummary(
  pool: pg.Pool,
  user: { id: string; userKey: number },
  { start, end }: { start?: DateOrInstant; end?: DateOrInstant },
): Promise<DataSummary> {
  const bounds = dayBounds({ start: start ?? OPEN_START, end: end ?? OPEN_END, endName: 'end_date' });
  const values = [user.userKey, start && bounds.fromDate, end && bounds.beforeDate];
  const [series, workouts, sleep, cycles] = await Promise.all([
    pool.query<SeriesCountRow>(seriesCounts(values)),
    pool.query<WorkoutCountRow>(workoutCounts(values)),
    pool.query<SleepCountRow>(sleepCounts(values)),
    pool.query<{ present: boolean }>(cyclesPresent(values)),
  ]);
  return {
    user_id: user.id,
    total_data_points: total(series.rows, (row) => row.points),
    total_workouts: total(workouts.rows, (row) => row.workouts),
    total_sleep_events: total(sleep.rows, (row) => row.sessions),
    series_type_counts: seriesCountsOf(series.rows),
    workout_type_counts: countBy(
      workouts.rows,
      (row) => row.type,
      (row) => row.workouts,
    ),
    by_provider: byProvider(series.rows, workouts.rows, sleep.rows),
    has_womens_health_data: cycles.rows[0]?.present ?? false,
    last_seen: lastSeen(series.rows),
  };
}

function byProvider(
  series: readonly SeriesCountRow[],
  workouts: readonly WorkoutCountRow[],
  sleep: readonly SleepCountRow[],
): DataSummary['by_provider'] {
  const providers = new Set([...series, ...workouts, ...sleep].map((row) => row.provider));
  const rank = (row: DataSummary['by_provider'][number]) => row.data_points + row.workout_count + row.sleep_count;
  return [...providers]
    .sort()
    .map((provider) => {
      const own = <T extends { provider: string }>(rows: readonly T[]) =>
        rows.filter((row) => row.provider === provider);
      return {
        provider,
        data_points: total(own(series), (row) => row.points),
        series_counts: seriesCountsOf(own(series)),
        workout_count: total(own(workouts), (row) => row.workouts),
        sleep_count: total(own(sleep), (row) => row.sessions),
      };
    })
    .sort((a, b) => rank(b) - rank(a));
}

function lastSeen(rows: readonly SeriesCountRow[]): Record<string, string> {
  const latest = new Map<string, number>();
  for (const row of rows) {
    const code = codeOf(row);
    latest.set(code, Math.max(latest.get(code) ?? Number.NEGATIVE_INFINITY, row.last_at.getTime()));
  }
  return Object.fromEntries([...latest].sort().map(([code, ms]) => [code, instantText(ms)]));
}

function seriesCountsOf(rows: readonly SeriesCountRow[]): Record<string, number> {
  return countBy(rows, codeOf, (row) => row.points);
}

function codeOf(row: SeriesCountRow): string {
  return seriesTypeById(row.type_id)?.code ?? String(row.type_id);
}

/** Sorts by count, descending, then by name. */
function countBy<T>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  countOf: (row: T) => number,
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(nameOf(row), (counts.get(nameOf(row)) ?? 0) + countOf(row));
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}

function total<T>(rows: readonly T[], countOf: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + countOf(row), 0);
}
