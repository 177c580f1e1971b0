import { type HealthRecord, isOffsetMinutes, MS_PER_SECOND, WORKOUT_LENGTH, type WorkoutRecord } from '@healthd/model';
import { z } from 'zod';
import { Tally, type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject, type PayloadOf, readPayload, textOf } from '../../payload/index.js';
import { type PlacedRecord, placedRecord, type RestReading } from '../../rest/index.js';
import { exerciseSamples, type Heights, readDetails, readsSamples } from './exercise-samples.js';
import { EXERCISES, exerciseIdOf, exercisePath, listExercises } from './requests.js';
import { sourceOf } from './source.js';
import { workoutType } from './sports.js';
import { DURATION, positive, secondsOfDuration } from './values.js';
import { instantOfWall, wallMsOf } from './wall-time.js';

/** An exercise. Requires `start_time` on the wall clock, `start_time_utc_offset` in minutes and `duration`. */
const EXERCISE = z.object({
  device: z.string(),
  /** Often `OTHER`; then `detailed_sport_info` is more specific. */
  sport: z.string(),
  detailed_sport_info: z.string(),
  /** Kilocalories. */
  calories: z.number(),
  /** Meters. */
  distance: z.number(),
  heart_rate: z.object({ average: z.number(), maximum: z.number() }),
  training_load: z.number(),
  running_index: z.number(),
  fat_percentage: z.number(),
  carbohydrate_percentage: z.number(),
  protein_percentage: z.number(),
  training_load_pro: z.object({ cardio_load: z.number(), muscle_load: z.number(), perceived_load: z.number() }),
  heart_rate_zones: z.array(z.unknown()),
});
type Exercise = PayloadOf<typeof EXERCISE>;
const ZONE = z.object({ index: z.number(), in_zone: DURATION });
type Zone = PayloadOf<typeof ZONE>;

/** Numbers that are stored unchanged in `metadata`. */
const STORED = [
  'training_load',
  'running_index',
  'fat_percentage',
  'carbohydrate_percentage',
  'protein_percentage',
] as const satisfies readonly (keyof Exercise)[];
const STORED_OF_LOAD = ['cardio_load', 'muscle_load', 'perceived_load'] as const;

/** An exercise with its time range. */
interface PlacedExercise extends PlacedRecord {
  exercise: Exercise;
  zones: readonly Zone[];
}

/**
 * Returns exercises that start in the window. Without samples, also returns older exercises of the list, which were
 * uploaded late. With samples, every older exercise would take a further request. Deletes nothing, because the list
 * contains only exercises that were uploaded in the last 30 days and after the registration.
 * @throws VendorError
 */
export async function readExercises({ api, window, tally, mode }: RestReading): Promise<HealthRecord[]> {
  const list = await listExercises(api, { zones: 'true' });
  const isDetailed = readsSamples(mode);
  const records: HealthRecord[] = [];
  for (const one of list) {
    // Includes an exercise without a valid time, which is rejected below.
    const atMs = isObject(one) ? instantOfExercise(one) : Number.NaN;
    if ((isDetailed && atMs < window.startMs) || atMs >= window.endMs) continue;
    const placed = placedExercise(one, tally);
    if (!placed) continue;
    const details = isDetailed ? await readDetails(api, placed.id, tally) : undefined;
    records.push(workoutOf(placed, details?.heights));
    if (details) for (const record of exerciseSamples(placed, details)) records.push(record);
  }
  return records;
}

/**
 * Looks up the time range of an exercise. Its event contains only the id.
 * @returns undefined if the vendor has no exercise with this id
 * @throws VendorError, `invalid_answer` if its time range is invalid
 */
export async function locateExercise(api: VendorApi, id: string): Promise<TimeRange | undefined> {
  const path = exercisePath(id);
  if (path === undefined) return undefined;
  try {
    const placed = placedExercise(await api.call({ path }), new Tally(EXERCISES));
    if (!placed) throw new VendorError({ code: 'invalid_answer', reason: 'start_time' });
    return { startMs: placed.startMs, endMs: placed.endMs };
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Returns an exercise's start: its wall-clock time minus its offset. NaN if the time or the offset is missing. */
export function instantOfExercise(exercise: PayloadObject): number {
  return instantOfWall(wallMsOf(exercise.start_time), offsetOf(exercise) ?? Number.NaN);
}

function offsetOf({ start_time_utc_offset: offset }: PayloadObject): number | undefined {
  const minutes = numberOf(offset);
  return minutes !== undefined && isOffsetMinutes(minutes) ? minutes : undefined;
}

const PLACE = { start: 'start_time', end: 'duration', offsetOf };

/** Adds the time range to an exercise. Rejects it and returns undefined if the time range is invalid. */
function placedExercise(one: unknown, tally: Tally): PlacedExercise | undefined {
  if (!isObject(one)) return void placedRecord(one, PLACE, WORKOUT_LENGTH, tally);
  const startMs = instantOfExercise(one);
  const endMs = startMs + (secondsOfDuration(one.duration) ?? Number.NaN) * MS_PER_SECOND;
  const times = { start_time: instantText(startMs), duration: instantText(endMs) };
  const placed = placedRecord({ ...one, id: exerciseIdOf(one.id), ...times }, PLACE, WORKOUT_LENGTH, tally);
  if (!placed) return undefined;
  const exercise = readPayload(EXERCISE, one, tally.fault);
  return { ...placed, exercise, zones: zonesOf(exercise, tally) };
}

function instantText(ms: number): string | undefined {
  return Math.abs(ms) < 8e15 ? new Date(ms).toISOString() : undefined;
}

function zonesOf({ heart_rate_zones: zones = [] }: Exercise, tally: Tally): Zone[] {
  return zones.flatMap((zone) => {
    if (isObject(zone)) return [readPayload(ZONE, zone, (name) => tally.fault(`heart_rate_zones.${name}`))];
    tally.fault('heart_rate_zones');
    return [];
  });
}

function workoutOf(placed: PlacedExercise, heights: Heights | undefined): WorkoutRecord {
  const { exercise, id, startMs, endMs, offsetMinutes } = placed;
  const sport = textOf(exercise.sport);
  const detail = textOf(exercise.detailed_sport_info);
  const distance = positive(exercise.distance);
  const seconds = (endMs - startMs) / MS_PER_SECOND;
  return {
    kind: 'workout',
    source: sourceOf(exercise.device),
    externalId: id,
    // Identifies the workout by its id across all devices, because the vendor may add or change the device name later.
    idScope: 'writer',
    type: workoutType(sport, detail),
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: seconds,
    // The vendor does not state that `calories` excludes resting energy.
    totalCaloriesKcal: positive(exercise.calories),
    distanceMeters: distance,
    averageSpeed: distance !== undefined && seconds > 0 ? distance / seconds : undefined,
    heartRateAvg: positive(exercise.heart_rate?.average),
    heartRateMax: positive(exercise.heart_rate?.maximum),
    elevationLowMeters: heights?.low,
    elevationHighMeters: heights?.high,
    metadata: metadataOf(placed, detail ?? sport),
  };
}

function metadataOf(
  { exercise, zones }: PlacedExercise,
  vendorType: string | undefined,
): NonNullable<WorkoutRecord['metadata']> {
  const numbers = [
    ...STORED.map((name) => [name, positive(exercise[name])] as const),
    ...STORED_OF_LOAD.map((name) => [name, positive(exercise.training_load_pro?.[name])] as const),
    ...zones.flatMap((zone) => {
      const index = positive(zone.index);
      const seconds = secondsOfDuration(zone.in_zone);
      return index === undefined ? [] : [[`heart_rate_zone_${index}_seconds`, seconds] as const];
    }),
  ];
  return {
    ...(vendorType !== undefined && { vendor_type: vendorType }),
    ...Object.fromEntries(numbers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  };
}
