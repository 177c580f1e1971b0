import { hasPace, isWorkoutType, MS_PER_DAY, round, seriesTypeByCode } from '@healthd/model';
import type { DateOrInstant, Envelope, Workout, WorkoutDetail } from '@healthd/schemas';
import type pg from 'pg';
import { sampleKind, statement } from '../../platform/database/index.js';
import { Turns } from '../../platform/turns.js';
import type { Priorities } from '../../priorities/index.js';
import { type InstantBounds, instantBounds, sqlInstant } from '../bounds.js';
import { localOffsets } from '../local-offsets.js';
import { Cursors, pageEnvelope } from '../page.js';
import { instantText, offsetText, wholeOrNull } from '../presentation.js';
import { groupWorkouts, type RuleWorkout, withoutCopies } from '../selection/workout-copies.js';
import {
  filteredSources,
  ruleSources,
  SOURCE_COLUMNS,
  type SourceFilter,
  type SourceMap,
  type SourceRow,
  type SummarySource,
  sourceMetadata,
  sourcesOf,
  withheldProviders,
} from '../sources.js';
import { MAX_COMPARED, requireComparable } from './compared.js';
import { EventList, type EventQuery } from './event-list.js';

export interface WorkoutRow extends SourceRow {
  id: string;
  type: string;
  name: string | null;
  start_at: Date;
  end_at: Date;
  offset_minutes: number | null;
  duration_seconds: number | null;
  moving_seconds: number | null;
  distance_meters: number | null;
  calories_kcal: number | null;
  basal_calories_kcal: number | null;
  total_calories_kcal: number | null;
  heart_rate_avg: number | null;
  heart_rate_max: number | null;
  elevation_gain_meters: number | null;
  steps_count: number | null;
  heart_rate_min: number | null;
  average_speed: number | null;
  max_speed: number | null;
  average_watts: number | null;
  max_watts: number | null;
  average_cadence: number | null;
  elevation_low_meters: number | null;
  elevation_high_meters: number | null;
  user_entered: boolean | null;
  intensity: string | null;
}

const COLUMNS = `w.id, w.type, w.name, w.start_at, w.end_at, w.offset_minutes, w.duration_seconds, w.moving_seconds,
  w.distance_meters, w.calories_kcal, w.basal_calories_kcal, w.total_calories_kcal, w.heart_rate_avg, w.heart_rate_max, w.elevation_gain_meters,
  w.steps_count, w.heart_rate_min, w.average_speed, w.max_speed, w.average_watts, w.max_watts, w.average_cadence,
  w.elevation_low_meters, w.elevation_high_meters, w.user_entered, w.metadata ->> 'intensity' as intensity`;

/** Parameters: user, from, before, pattern or null, source ids or null. */
const SELECTED = `w.user_key = $1 and w.start_at >= $2::timestamptz and w.start_at < $3::timestamptz
  and ($4::text is null or w.type ilike $4) and ($5::int4[] is null or w.source_id = any ($5::int4[]))`;

const workoutList = new EventList<WorkoutRow>({
  name: 'workouts',
  table: 'workout',
  alias: 'w',
  columns: COLUMNS,
  selected: SELECTED,
  filterCount: 2,
});

/** Data that is needed to find the copies of a workout. */
interface WorkoutSpan extends RuleWorkout {
  id: string;
}

/** Reads workouts by index on (user_key, start_at, id). Parameters: the parameters of {@link SELECTED}, limit. */
const workoutSpans = statement(
  'workout_spans',
  `select w.id, w.source_id, w.type, w.start_at, w.end_at from workout w
   where ${SELECTED} order by w.start_at, w.id limit $6`,
);

/**
 * Reads mean and highest heart rate of the workout's source in `[start, end)`, for workouts without these figures. Each
 * workout is a range of the sample's primary key. Includes archived samples. The highest rate is null for workouts that
 * were archived before archives contained the highest rate.
 * Parameters: user, ids, type id of heart rate.
 */
const workoutHeartRates = statement(
  'workouts_heart_rate',
  `select w.id, measured.mean, measured.highest from workout w
   cross join lateral (
     select (w.archived_heart_rate_sum + coalesce(sum(h.value), 0)) / nullif(w.archived_heart_rate_count + count(*), 0)
       as mean, case when w.archived_heart_rate_count = 0 or w.archived_heart_rate_max is not null
         then greatest(w.archived_heart_rate_max, max(h.value)) end as highest
     from sample h
     where h.user_key = $1 and h.type_id = $3::int2 and h.start_at >= w.start_at and h.start_at < w.end_at
       and h.source_id = w.source_id and ${sampleKind('h.')} = 0
   ) measured
   where w.user_key = $1 and w.id = any ($2::uuid[]) and measured.mean is not null`,
);

/** All stored data of a workout. Instants inside `events` and `activities` are ISO 8601. */
export interface WorkoutDetailRow extends WorkoutRow {
  indoor: boolean | null;
  events:
    | {
        type: string;
        start_time: string;
        duration_seconds?: number;
        label?: string;
        repetitions?: number;
        distance_meters?: number;
      }[]
    | null;
  activities:
    | { type: string; start_time: string; end_time?: string; duration_seconds?: number; distance_meters?: number }[]
    | null;
  metadata: WorkoutDetail['metadata'] | null;
}

/** Reads one workout by primary key. Parameters: user, id. */
export const workoutById = statement(
  'workout_by_id',
  `select ${COLUMNS}, w.indoor, w.events, w.activities, w.metadata, ${SOURCE_COLUMNS}
   from workout w join data_source s on s.user_key = $1 and s.source_id = w.source_id
   where w.user_key = $1 and w.id = $2::uuid`,
);

export interface WorkoutsParams extends SourceFilter {
  start: DateOrInstant;
  end: DateOrInstant;
  /** Part of a workout type; case-insensitive. */
  recordType?: string;
  /** Only return the best copy of a workout that several sources recorded. */
  filterByPriority?: boolean;
  cursor?: string;
  limit: number;
}

const HEART_RATE = seriesTypeByCode('heart_rate').id;

/** Reads workouts, newest first: of all sources, or only the best copy of each workout. */
export async function readWorkouts(
  { pool, priorities }: SummarySource,
  userKey: number,
  params: WorkoutsParams,
): Promise<Envelope<Workout>> {
  const { start, end, recordType, filterByPriority = false, limit } = params;
  const bounds = instantBounds({ start, end, endName: 'end_date' });
  const { provider, source, deviceModel, dataSourceId } = params;
  const usedFilters = [provider, source, deviceModel, dataSourceId];
  const filters = usedFilters.every((one) => one === undefined) ? [] : usedFilters;
  const cursors = new Cursors(['instant', 'uuid'], {
    route: 'workouts',
    userKey,
    filters: [recordType, filterByPriority, ...filters],
    // Cursors of version 1 belong to lists that omitted copies by default.
    version: 2,
  });
  const position = cursors.decode(params.cursor);
  const isLimited = filters.length > 0 || (params.withheld?.size ?? 0) > 0;
  const sources = isLimited || filterByPriority ? await sourcesOf(pool, userKey) : undefined;
  const named = [
    recordType === undefined ? null : `%${escapeLike(recordType)}%`,
    (sources && filteredSources(sources, params)) ?? null,
  ];
  const list = { bounds, filters: named, position, limit, cursors };
  const { page, totalCount } =
    sources && filterByPriority
      ? await pageWithoutCopies(pool, userKey, list, sources, await priorities.current())
      : await workoutList.page(pool, userKey, list);
  const [heartRates, localOffsetOf] = await Promise.all([
    measuredHeartRates(pool, userKey, page.rows),
    workoutOffsets(pool, userKey, page.rows),
  ]);
  return pageEnvelope(page, (row) => workout(row, heartRates, localOffsetOf(row)), {
    start,
    end,
    totalCount,
    withheld: sources && withheldProviders(sources, params.withheld),
  });
}

/** Finds copies among the workouts that match the filters, including workouts near both ends of the range. */
async function pageWithoutCopies(
  pool: pg.Pool,
  userKey: number,
  list: EventQuery,
  sources: SourceMap,
  priorities: Priorities,
) {
  const spans = await readSpans(pool, userKey, list.bounds, list.filters);
  const ruleOf = ruleSources();
  // A source that was added between the two statements is missing here. The next request includes its workouts.
  const known = spans.filter((span) => sources.has(span.source_id));
  const counted = await new Turns().run(
    withoutCopies(known, { priorities, sourceOf: (id) => ruleOf(sources.get(id)!) }),
  );
  return workoutList.pageAmong(pool, userKey, counted.reverse(), list);
}

/** Maximum time before or after the range at which copies of its workouts may start. */
const REACH_MS = 2 * MS_PER_DAY;

/** @throws Failure `unprocessable` if the range has too many workouts */
async function readSpans(
  pool: pg.Pool,
  userKey: number,
  { fromMs, beforeMs }: InstantBounds,
  named: readonly unknown[],
) {
  const around = [sqlInstant(fromMs - REACH_MS), sqlInstant(beforeMs + REACH_MS)];
  const { rows } = await pool.query<WorkoutSpan>(workoutSpans([userKey, ...around, ...named, MAX_COMPARED + 1]));
  requireComparable(rows.length, 'workouts');
  return rows;
}

/** Returns the ids of the workout's copies from other sources, in order of start. */
export async function copiesOf(pool: pg.Pool, userKey: number, workout: WorkoutSpan): Promise<string[]> {
  const bounds = { fromMs: workout.start_at.getTime(), beforeMs: workout.end_at.getTime() };
  const groups = await new Turns().run(groupWorkouts(await readSpans(pool, userKey, bounds, [null, null])));
  const own = groups.find((group) => group.some(({ id }) => id === workout.id)) ?? [];
  return own.filter(({ source_id: id }) => id !== workout.source_id).map(({ id }) => id);
}

/** Heart rates from samples; `highest` is null if unknown. */
interface MeasuredHeartRate {
  mean: number;
  highest: number | null;
}

/** Reads the heart rates of workouts without a mean or a maximum, by id. */
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

/** Returns the UTC offset of each workout at its end. */
export function workoutOffsets(
  pool: pg.Pool,
  userKey: number,
  rows: readonly WorkoutRow[],
): Promise<(row: WorkoutRow) => string> {
  return localOffsets(pool, userKey, rows, ({ end_at }) => end_at.getTime());
}

/** Converts a workout to its API form. */
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

/**
 * Returns active energy, or the total without resting energy if active energy is unknown, because clients read only this
 * field.
 */
function shownCalories({ calories_kcal: active, basal_calories_kcal: basal, total_calories_kcal: total }: WorkoutRow) {
  if (active !== null || total === null) return active;
  return basal !== null && basal <= total ? total - basal : total;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

const SHORTEST_METERS = 50;

/**
 * Returns whole seconds per kilometer from the moving time, otherwise from the duration. Null below 50 m, without a time,
 * and for workout types without a meaningful pace.
 */
export function paceSecondsPerKm(workout: {
  type: string;
  distanceMeters: number | null;
  movingSeconds: number | null;
  durationSeconds: number | null;
}): number | null {
  const seconds = workout.movingSeconds ?? workout.durationSeconds;
  const meters = workout.distanceMeters;
  if (seconds === null || seconds <= 0 || meters === null || meters < SHORTEST_METERS) return null;
  if (!isWorkoutType(workout.type) || !hasPace(workout.type)) return null;
  return round((seconds / meters) * 1000);
}
