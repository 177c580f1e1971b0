import { workoutFamilies } from '@healthd/model';
import type { WorkoutDetail } from '@healthd/schemas';
import { sampleKind, statement } from '../../platform/database/index.js';
import { SOURCE_COLUMNS, type SourceRow } from '../sources.js';
import { sourceRank } from './source-rank.js';

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
  w.elevation_low_meters, w.elevation_high_meters, w.user_entered, w.metadata ->> 'intensity' as intensity, ${SOURCE_COLUMNS}`;

/** Types that belong to a family of several; any other type is a family of its own. */
const FAMILIES = JSON.stringify(workoutFamilies());
const family = (workout: string) => `coalesce('${FAMILIES}'::jsonb ->> ${workout}.type, ${workout}.type)`;

/** Whether two workouts are one, recorded by two sources: a few rows by index on (user_key, start_at). */
const sameWorkout = (
  other: string,
  workout: string,
) => `${other}.user_key = $1 and ${other}.source_id <> ${workout}.source_id
  and ${other}.start_at >= ${workout}.start_at - interval '5 minutes'
  and ${other}.start_at <= ${workout}.start_at + interval '5 minutes'
  and ${family(other)} = ${family(workout)}
  and least(${other}.end_at, ${workout}.end_at) - greatest(${other}.start_at, ${workout}.start_at)
    >= 0.8 * least(${other}.end_at - ${other}.start_at, ${workout}.end_at - ${workout}.start_at)`;

/** By priorities, then the longer one, then the older source. */
const rank = (workout: string, source: string) =>
  `(${sourceRank(source)}, ${workout}.start_at - ${workout}.end_at, ${workout}.source_id)`;

const ofSource = (workout: string) => `($6::int4[] is null or ${workout}.source_id = any ($6::int4[]))`;
const ofType = (workout: string) => `($4::text is null or ${workout}.type ilike $4)`;

/** How far a chain is followed of workouts each of which is the same as the next: one more than that many sources. */
const LONGEST_CHAIN = 4;

/**
 * Whether a better workout is shown instead. That one can be in the day before the range, so that neighbouring ranges show
 * it once; but it must have a type and a source that were asked for, and not be hidden itself. "is false" instead of "not" keeps the
 * planner from a join of all workouts: it is asked only of those few that have a better one.
 */
function isHidden(workout: string, source: string, chain = LONGEST_CHAIN): string {
  const [better, its] = [`better_${chain}`, `its_${chain}`];
  return `exists (
    select from workout ${better} join data_source ${its} on ${its}.user_key = $1 and ${its}.source_id = ${better}.source_id
    where ${sameWorkout(better, workout)} and ${ofType(better)} and ${ofSource(better)} and ${rank(better, its)} < ${rank(workout, source)}
      ${chain > 1 ? `and ${isHidden(better, its, chain - 1)} is false` : ''})`;
}

const SELECTED = `w.user_key = $1 and w.start_at >= $2::timestamptz and w.start_at < $3::timestamptz
  and ${ofType('w')} and ${ofSource('w')} and ($5::boolean or not ${isHidden('w', 's')})`;

const WORKOUT_AND_SOURCE = 'workout w join data_source s on s.user_key = $1 and s.source_id = w.source_id';

/**
 * One page by index on (user_key, start_at, id). Parameters: user, from, before, pattern or null, whether duplicates are
 * shown, source ids or null, position (instant, id) or nulls, limit + 1.
 */
function workoutPage(name: string, after: '>' | '<', order: 'asc' | 'desc') {
  return statement(
    name,
    `select ${COLUMNS} from ${WORKOUT_AND_SOURCE}
     where ${SELECTED}
       and ($7::timestamptz is null or (w.start_at, w.id) ${after} ($7::timestamptz, $8::uuid))
     order by w.start_at ${order}, w.id ${order} limit $9`,
  );
}

/** Newest first, so that going on means going back in time. */
export const olderWorkouts = workoutPage('workouts_older', '<', 'desc');
export const newerWorkouts = workoutPage('workouts_newer', '>', 'asc');

/** Parameters: user, from, before, pattern or null, whether duplicates are shown, source ids or null. */
export const workoutCount = statement(
  'workouts_count',
  `select count(*) as count from ${WORKOUT_AND_SOURCE} where ${SELECTED}`,
);

/**
 * Mean and highest heart rate of the workout's own source in `[start, end)`, for workouts that came without: a range of the
 * sample's primary key each. Archived samples count too; the highest
 * rate of workouts that were archived before it was kept is unknown.
 * Parameters: user, ids, type id of heart rate.
 */
export const workoutHeartRates = statement(
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

/** All that is stored about a workout. Instants inside `events` and `activities` are ISO 8601. */
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
  duplicate_ids: string[];
}

/** By primary key. Parameters: user, id. */
export const workoutById = statement(
  'workout_by_id',
  `select ${COLUMNS}, w.indoor, w.events, w.activities, w.metadata,
     array(select o.id::text from workout o where ${sameWorkout('o', 'w')} order by o.start_at, o.id) as duplicate_ids
   from ${WORKOUT_AND_SOURCE} where w.user_key = $1 and w.id = $2::uuid`,
);
