import { seriesTypeByCode } from '@healthd/model';
import type { WorkoutRoute } from '@healthd/schemas';
import type pg from 'pg';
import { sampleKind, statement } from '../../platform/database/index.js';
import { instantText } from '../presentation.js';
import { sourceMetadata } from '../sources.js';
import { type Place, simplifiedLine } from './simplified-line.js';
import { type WorkoutDetailRow, workoutById } from './workouts.js';

/** Maximum number of positions in a response. Five hours with one position per second fit. */
const MAX_POINTS = 20_000;
/** Maximum number of positions that are read. Two days with one position per second fit. */
const MAX_READ = 200_000;

/** Condition for a reading of the workout's source. */
const ofSource = (typeId: string) =>
  `m.user_key = $1 and m.type_id = ${typeId} and m.source_id = $2 and ${sampleKind('m.')} = 0`;

/**
 * Reads one value per instant: the sample with the lowest slot. Latitude and longitude of a position have the same slot.
 */
const axis = (typeId: string) =>
  `select distinct on (m.start_at) m.start_at as at, m.value from sample m
   where ${ofSource(typeId)} and m.start_at >= $3::timestamptz and m.start_at <= $4::timestamptz
   order by m.start_at, m.slot limit $5`;

/** Reads the value of another series at a position. */
const valueAt = (typeId: string) =>
  `select m.value from sample m where ${ofSource(typeId)} and m.start_at = thinned.at order by m.slot limit 1`;

/**
 * Reads positions in order of time, evenly thinned to a maximum number. Always includes the last position.
 * Parameters: user, source, start, end, maximum to read, maximum to return.
 */
const routePoints = statement(
  'workout_route',
  // Groups the axes instead of joining them: the planner expects few rows and would compare every pair of instants.
  `with measured as (
          select at, value as latitude, null::float8 as longitude from (${axis(typeId('latitude'))}) north
          union all
          select at, null, value from (${axis(typeId('longitude'))}) east),
        place as (
          select at, max(latitude) as latitude, max(longitude) as longitude,
                 row_number() over (order by at) as position, count(*) over () as total
          from measured group by at having count(latitude) = 1 and count(longitude) = 1),
        thinned as materialized (
          select * from place where (position - 1) % ceil(total::float8 / $6::int)::bigint = 0 or position = total)
   select thinned.at, thinned.latitude, thinned.longitude, height.value as elevation, pace.value as speed,
          thinned.total::int as total
   from thinned
   left join lateral (${valueAt(typeId('elevation'))}) height on true
   left join lateral (${valueAt(typeId('speed'))}) pace on true
   order by thinned.at`,
);

interface RoutePoint extends Place {
  at: Date;
  elevation: number | null;
  speed: number | null;
  total: number;
}

/**
 * Reads a workout's route: the positions that the workout's source recorded from its start to its end, both included.
 * @param meters maximum deviation of the simplified route; 0 for all positions
 * @returns undefined if the user has no workout with this id
 */
export async function readWorkoutRoute(
  pool: pg.Pool,
  userKey: number,
  id: string,
  meters: number,
): Promise<WorkoutRoute | undefined> {
  const workout = (await pool.query<WorkoutDetailRow>(workoutById([userKey, id]))).rows[0];
  if (!workout) return undefined;
  const { rows } = await pool.query<RoutePoint>(
    routePoints([
      userKey,
      workout.source_id,
      workout.start_at.toISOString(),
      workout.end_at.toISOString(),
      MAX_READ,
      MAX_POINTS - 1,
    ]),
  );
  const total = rows[0]?.total ?? 0;
  const line = rows.length < 2 ? [] : simplifiedLine(rows, meters);
  return {
    type: 'Feature',
    geometry: line.length === 0 ? null : { type: 'LineString', coordinates: line.map(coordinatesOf) },
    properties: {
      workout_id: workout.id,
      times: line.map(({ at }) => instantText(at)),
      speeds_m_per_s: line.map(({ speed }) => speed),
      total_points: total,
      complete: total < MAX_READ,
    },
    source: sourceMetadata(workout),
  };
}

function coordinatesOf({ longitude, latitude, elevation }: RoutePoint): number[] {
  return elevation === null ? [longitude, latitude] : [longitude, latitude, elevation];
}

/** Returns a series' type id as an SQL constant. */
function typeId(code: 'latitude' | 'longitude' | 'elevation' | 'speed'): string {
  return `${seriesTypeByCode(code).id}::int2`;
}
