import { MS_PER_DAY, round, seriesTypeByCode } from '@healthd/model';
import type { DateOrInstant, Envelope, Workout } from '@healthd/schemas';
import type pg from 'pg';
import { unprocessable } from '../../platform/failures.js';
import { Turns } from '../../platform/turns.js';
import type { Priorities } from '../../priorities/index.js';
import { type InstantBounds, instantBounds } from '../bounds.js';
import { Cursors } from '../cursors.js';
import { localOffsets } from '../local-offsets.js';
import { pageEnvelope } from '../page.js';
import { instantText, offsetText, wholeOrNull } from '../presentation.js';
import { groupWorkouts, withoutCopies } from '../selection/workout-copies.js';
import {
  filteredSources,
  ruleSources,
  type SourceFilter,
  type SourceMap,
  sourceMetadata,
  sourcesOf,
  withheldProviders,
} from '../sources.js';
import { sqlInstant } from '../sql-instant.js';
import type { SummarySource } from '../summary-source.js';
import type { EventQuery } from './event-list.js';
import { paceSecondsPerKm } from './pace.js';
import { type WorkoutRow, type WorkoutSpan, workoutHeartRates, workoutList, workoutSpans } from './workouts.sql.js';

export interface WorkoutsParams extends SourceFilter {
  start: DateOrInstant;
  end: DateOrInstant;
  /** Part of a workout type, in any case. */
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
  const given = [provider, source, deviceModel, dataSourceId];
  const filters = given.every((one) => one === undefined) ? [] : given;
  const cursors = new Cursors(['instant', 'uuid'], {
    route: 'workouts',
    userKey,
    filters: [recordType, filterByPriority, ...filters],
    // Version 1 omitted copies by default.
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
  // A source that arrived between the two statements is missing. Its workouts count from the next request.
  const known = spans.filter((span) => sources.has(span.source_id));
  const counted = await new Turns().run(
    withoutCopies(known, { priorities, sourceOf: (id) => ruleOf(sources.get(id)!) }),
  );
  return workoutList.pageAmong(pool, userKey, counted.reverse(), list);
}

/** Maximum number of compared workouts of a range. No user has this many. */
const MAX_COMPARED = 50_000;
/** Distance from a range within which copies of its workouts start. */
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
  if (rows.length > MAX_COMPARED)
    throw unprocessable(
      ['query', 'end_date'],
      `The range has more than ${MAX_COMPARED} workouts. Request a shorter range.`,
    );
  return rows;
}

/** Returns the ids of copies that other sources recorded, by start. */
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

/** Returns a workout as in responses. */
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
