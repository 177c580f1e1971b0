import { type HealthRecord, isOffsetMinutes, MS_PER_SECOND, WORKOUT_LENGTH, type WorkoutRecord } from '@healthd/model';
import { Tally, type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject, textOf } from '../../payload/index.js';
import { countUnreadable, membersOf, type PlacedRecord, placedRecord } from '../../rest/index.js';
import { exerciseIdOf, exercisePath, LIST } from './exercise-path.js';
import { exerciseSamples, type Heights, readsSamples, readWithSamples } from './exercise-samples.js';
import { ISO_DURATION, secondsOfDuration } from './iso-duration.js';
import { sourceOf } from './source.js';
import { workoutType } from './sports.js';
import { EXERCISES } from './type-ids.js';
import { memberOf, positive } from './values.js';
import { instantOfWall, wallMsOf } from './wall-time.js';

/** Members that are numbers and are stored as they are, in `metadata`. */
const KEPT = ['training_load', 'running_index', 'fat_percentage', 'carbohydrate_percentage', 'protein_percentage'];
const KEPT_OF_LOAD = ['cardio_load', 'muscle_load', 'perceived_load'];
const MEMBERS = {
  ...membersOf('number', [
    'calories',
    'distance',
    'heart_rate.average',
    'heart_rate.maximum',
    ...KEPT,
    ...KEPT_OF_LOAD.map((name) => `training_load_pro.${name}`),
  ]),
  ...membersOf('text', ['sport', 'detailed_sport_info', 'device']),
  ...membersOf('object', ['heart_rate', 'training_load_pro']),
  heart_rate_zones: 'list',
} as const;
const ZONE_MEMBERS = { index: 'number', in_zone: ISO_DURATION } as const;

/**
 * Exercises that start in the window, and earlier ones of the list where they take no further request: those were uploaded late. What is not in the list is left alone: the list has those alone that were uploaded in
 * the last 30 days, and since the person was registered.
 * @throws VendorError
 */
export async function readExercises(
  api: VendorApi,
  { startMs, endMs }: TimeRange,
  values: Readonly<Record<string, string | undefined>>,
  tally: Tally,
): Promise<HealthRecord[]> {
  const list = await listExercises(api, { zones: 'true' });
  const isDetailed = readsSamples(values);
  const records: HealthRecord[] = [];
  for (const exercise of list) {
    // One without a usable time passes, to be rejected.
    const atMs = isObject(exercise) ? instantOfExercise(exercise) : Number.NaN;
    if ((isDetailed && atMs < startMs) || atMs >= endMs) continue;
    const placed = placedExercise(exercise, tally);
    if (!placed) continue;
    countFaults(placed.record, tally);
    const detailed = isDetailed ? await readWithSamples(api, placed.id, tally) : undefined;
    records.push(workoutOf(placed, detailed?.heights));
    if (detailed) for (const record of exerciseSamples(placed, detailed.exercise)) records.push(record);
  }
  return records;
}

function countFaults(exercise: PayloadObject, tally: Tally): void {
  countUnreadable(exercise, MEMBERS, tally.fault);
  const zones = Array.isArray(exercise.heart_rate_zones) ? exercise.heart_rate_zones : [];
  for (const zone of zones) {
    if (!isObject(zone)) tally.fault('heart_rate_zones');
    else countUnreadable(zone, ZONE_MEMBERS, (name) => tally.fault(`heart_rate_zones.${name}`));
  }
}

/** The exercises of the last days; no content is an empty list. @throws VendorError */
export async function listExercises(
  api: VendorApi,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly unknown[]> {
  const list = (await api.call({ path: LIST, query })) ?? [];
  if (!Array.isArray(list)) throw new VendorError({ code: 'invalid_answer', reason: 'exercises' });
  return list;
}

/**
 * When an exercise was, of which an event gives only the id.
 * @returns undefined where the vendor has none of this id
 * @throws VendorError, `invalid_answer` for one without a place in time
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

/** When an exercise started: its wall clock without its offset. NaN where either is missing. */
export function instantOfExercise(exercise: PayloadObject): number {
  return instantOfWall(wallMsOf(exercise.start_time), offsetOf(exercise) ?? Number.NaN);
}

function offsetOf({ start_time_utc_offset: offset }: PayloadObject): number | undefined {
  const minutes = numberOf(offset);
  return minutes !== undefined && isOffsetMinutes(minutes) ? minutes : undefined;
}

const PLACE = { start: 'start_time', end: 'duration', offsetOf };

/** Its place in time; undefined, and a rejection, when it has none that can be stored. */
function placedExercise(exercise: unknown, tally: Tally): PlacedRecord | undefined {
  if (!isObject(exercise)) return placedRecord(exercise, PLACE, WORKOUT_LENGTH, tally);
  const startMs = instantOfExercise(exercise);
  const endMs = startMs + (secondsOfDuration(exercise.duration) ?? Number.NaN) * MS_PER_SECOND;
  const times = { start_time: instantText(startMs), duration: instantText(endMs) };
  const placed = placedRecord({ ...exercise, id: exerciseIdOf(exercise.id), ...times }, PLACE, WORKOUT_LENGTH, tally);
  return placed && { ...placed, record: exercise };
}

function instantText(ms: number): string | undefined {
  return Math.abs(ms) < 8e15 ? new Date(ms).toISOString() : undefined;
}

function workoutOf(
  { record, id, startMs, endMs, offsetMinutes }: PlacedRecord,
  heights: Heights | undefined,
): WorkoutRecord {
  const sport = textOf(record.sport);
  const detail = textOf(record.detailed_sport_info);
  const heart = isObject(record.heart_rate) ? record.heart_rate : {};
  const distance = positive(record.distance);
  const seconds = (endMs - startMs) / MS_PER_SECOND;
  return {
    kind: 'workout',
    source: sourceOf(record),
    externalId: id,
    // The device may be named later, or in another way.
    idScope: 'writer',
    type: workoutType(sport, detail),
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: seconds,
    // The vendor does not say that it leaves out what the body spends at rest.
    totalCaloriesKcal: positive(record.calories),
    distanceMeters: distance,
    averageSpeed: distance !== undefined && seconds > 0 ? distance / seconds : undefined,
    heartRateAvg: positive(heart.average),
    heartRateMax: positive(heart.maximum),
    elevationLowMeters: heights?.low,
    elevationHighMeters: heights?.high,
    metadata: metadataOf(record, detail ?? sport),
  };
}

function metadataOf(record: PayloadObject, vendorType: string | undefined): NonNullable<WorkoutRecord['metadata']> {
  const load = isObject(record.training_load_pro) ? record.training_load_pro : {};
  const zones = Array.isArray(record.heart_rate_zones) ? record.heart_rate_zones.filter(isObject) : [];
  const numbers = [
    ...KEPT.map((name) => [name, positive(memberOf(record, name))] as const),
    ...KEPT_OF_LOAD.map((name) => [name, positive(memberOf(load, name))] as const),
    ...zones.flatMap((zone) => {
      const index = positive(zone.index);
      const seconds = secondsOfDuration(memberOf(zone, 'in_zone'));
      return index === undefined ? [] : [[`heart_rate_zone_${index}_seconds`, seconds] as const];
    }),
  ];
  return {
    ...(vendorType !== undefined && { vendor_type: vendorType }),
    ...Object.fromEntries(numbers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  };
}
