import { round, seriesTypeByCode } from '@healthd/model';
import type { DateOrInstant, Envelope, Workout } from '@healthd/schemas';
import type pg from 'pg';
import { instantBounds } from '../bounds.js';
import { Cursors } from '../cursors.js';
import { localOffsets } from '../local-offsets.js';
import { pageOf } from '../page.js';
import { pageEnvelope } from '../page-envelope.js';
import { instantText, offsetText, wholeOrNull } from '../presentation.js';
import { filteredSources, type SourceFilter, sourceMetadata, sourcesOf } from '../sources.js';
import { sqlInstant } from '../sql-instant.js';
import { paceSecondsPerKm } from './pace.js';
import { newerWorkouts, olderWorkouts, type WorkoutRow, workoutCount, workoutHeartRates } from './workouts.sql.js';

export interface WorkoutsParams extends SourceFilter {
  start: DateOrInstant;
  end: DateOrInstant;
  /** A workout type or a part of its name, in any case. */
  recordType?: string;
  /** Also what another source has recorded better. */
  includeDuplicates?: boolean;
  cursor?: string;
  limit: number;
}

const HEART_RATE = seriesTypeByCode('heart_rate').id;

/** Workouts of all sources by their start, newest first. */
export async function readWorkouts(pool: pg.Pool, userKey: number, params: WorkoutsParams): Promise<Envelope<Workout>> {
  const { start, end, recordType, includeDuplicates = false, limit } = params;
  const { fromMs, beforeMs } = instantBounds({ start, end, endName: 'end_date' });
  const { provider, source, deviceModel, dataSourceId } = params;
  const given = [provider, source, deviceModel, dataSourceId];
  const filters = given.every((one) => one === undefined) ? [] : given;
  const cursors = new Cursors(['instant', 'uuid'], {
    route: 'workouts',
    userKey,
    filters: [recordType, includeDuplicates, ...filters],
  });
  const position = cursors.decode(params.cursor);
  const selected = [
    userKey,
    sqlInstant(fromMs),
    sqlInstant(beforeMs),
    recordType === undefined ? null : `%${escapeLike(recordType)}%`,
    includeDuplicates,
    (filters.length > 0 && filteredSources(await sourcesOf(pool, userKey), params)) || null,
  ];
  const key = position ? [sqlInstant(Number(position.key[0])), position.key[1]] : [null, null];
  const statement = position?.before ? newerWorkouts : olderWorkouts;
  const [{ rows }, counted] = await Promise.all([
    pool.query<WorkoutRow>(statement([...selected, ...key, limit + 1])),
    pool.query<{ count: number }>(workoutCount(selected)),
  ]);
  const page = pageOf(rows, limit, position, cursors, (row) => [row.start_at.getTime(), row.id]);
  const [heartRates, localOffsetOf] = await Promise.all([
    measuredHeartRates(pool, userKey, page.rows),
    workoutOffsets(pool, userKey, page.rows),
  ]);
  const totalCount = counted.rows[0]?.count ?? 0;
  return pageEnvelope(page, (row) => workout(row, heartRates, localOffsetOf(row)), { start, end, totalCount });
}

/** Heart rates that the samples of a workout show; `highest` is null where it is not known. */
interface MeasuredHeartRate {
  mean: number;
  highest: number | null;
}

/** Heart rates of those workouts that came without a mean or a highest one, by id. */
export async function measuredHeartRates(
  pool: pg.Pool,
  userKey: number,
  workouts: readonly Pick<WorkoutRow, 'id' | 'heart_rate_avg' | 'heart_rate_max'>[],
): Promise<ReadonlyMap<string, MeasuredHeartRate>> {
  const ids = workouts.filter((row) => row.heart_rate_avg === null || row.heart_rate_max === null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<MeasuredHeartRate & { id: string }>(workoutHeartRates([userKey, ids, HEART_RATE]));
  return new Map(rows.map(({ id, mean, highest }) => [id, { mean, highest }]));
}

/** At which offset each workout is dated: that of its end. */
export function workoutOffsets(
  pool: pg.Pool,
  userKey: number,
  rows: readonly WorkoutRow[],
): Promise<(row: WorkoutRow) => string> {
  return localOffsets(pool, userKey, rows, ({ end_at }) => end_at.getTime());
}

/** A workout as answers show it. */
export function workout(
  row: WorkoutRow,
  heartRates: ReadonlyMap<string, MeasuredHeartRate>,
  localOffset: string,
): Workout {
  const measured = heartRates.get(row.id);
  const wallClockSeconds = (row.end_at.getTime() - row.start_at.getTime()) / 1000;
  const durationSeconds = row.duration_seconds ?? wallClockSeconds;
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    start_time: instantText(row.start_at),
    end_time: instantText(row.end_at),
    zone_offset: offsetText(row.offset_minutes),
    local_offset: localOffset,
    duration_seconds: round(durationSeconds),
    source: sourceMetadata(row),
    calories_kcal: shownCalories(row),
    total_calories_kcal: row.total_calories_kcal,
    distance_meters: row.distance_meters,
    avg_heart_rate_bpm: wholeOrNull(row.heart_rate_avg ?? measured?.mean ?? null),
    max_heart_rate_bpm: wholeOrNull(row.heart_rate_max ?? measured?.highest ?? null),
    avg_pace_sec_per_km: paceSecondsPerKm({
      type: row.type,
      distanceMeters: row.distance_meters,
      movingSeconds: row.moving_seconds,
      durationSeconds,
    }),
    elevation_gain_meters: row.elevation_gain_meters,
    intensity: row.intensity,
    entry_source: row.user_entered === null ? null : row.user_entered ? 'manual' : 'auto',
    heart_rate_min: wholeOrNull(row.heart_rate_min),
    steps_count: row.steps_count,
    average_speed: row.average_speed,
    max_speed: row.max_speed,
    average_cadence: row.average_cadence,
    average_watts: row.average_watts,
    max_watts: row.max_watts,
    moving_time_seconds: wholeOrNull(row.moving_seconds),
    elev_high: row.elevation_high_meters,
    elev_low: row.elevation_low_meters,
  };
}

/** Clients know this one field: where active energy is unknown, the total says more than nothing. */
function shownCalories({ calories_kcal: active, basal_calories_kcal: basal, total_calories_kcal: total }: WorkoutRow) {
  if (active !== null || total === null) return active;
  return basal !== null && basal <= total ? total - basal : total;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
