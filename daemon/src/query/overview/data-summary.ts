import { seriesTypeById } from '@healthd/model';
import type { DataSummary, DateOrInstant } from '@healthd/schemas';
import type pg from 'pg';
import { dayBounds, OPEN_END, OPEN_START } from '../bounds.js';
import { instantText } from '../presentation.js';
import {
  cyclesPresent,
  type SeriesCountRow,
  type SleepCountRow,
  seriesCounts,
  sleepCounts,
  type WorkoutCountRow,
  workoutCounts,
} from './data-summary.sql.js';

/** What is stored for a user, counted from roll-ups. Without bounds: everything. Four statements. */
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

/** Descending by count, then by name. */
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
