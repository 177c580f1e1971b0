import {
  isOffsetMinutes,
  MS_PER_SECOND,
  type SourceIdentity,
  WORKOUT_LENGTH,
  type WorkoutRecord,
} from '@healthd/model';
import type { DeliveredRecords, Tally } from '../../cloud/index.js';
import { idOf, isObject, numberOf, type PayloadObject, textOf } from '../../payload/index.js';
import { cadenceFactor, type PlacedRecord, placedRecord, rejectUnreadableNumbers } from '../../rest/index.js';
import { positive } from './series.js';
import { deviceSource } from './source.js';
import { workoutType } from './sports.js';

/** Members that are numbers, or null. */
const NUMBERS = [
  'totalTime',
  'totalDistance',
  'totalAscent',
  'totalDescent',
  'minAltitude',
  'maxAltitude',
  'avgSpeed',
  'maxSpeed',
  'avgPower',
  'maxPower',
  'energyConsumption',
  'stepCount',
  'recoveryTime',
];
const HEART = ['min', 'avg', 'workoutAvgHR', 'hrmax', 'workoutMaxHR'];
const PLACE = { start: 'startTime', end: 'stopTime', offsetOf };
/** The vendor writes altitudes in tenths of a metre. */
const DECIMETRES = 10;
const SECONDS_PER_MINUTE = 60;
const KELVIN = 273.15;

/** A workout as the vendor lists it or pushes it; undefined, and a rejection, for one without id or time. */
export function workoutOf(record: unknown, tally: Tally): WorkoutRecord | undefined {
  const placed = isObject(record)
    ? placedRecord({ ...record, ...placeOf(record) }, PLACE, WORKOUT_LENGTH, tally)
    : placedRecord(record, PLACE, WORKOUT_LENGTH, tally);
  if (!placed) return undefined;
  const index = tally.received - 1;
  rejectUnreadableNumbers(placed.record, NUMBERS, tally, index);
  if (isObject(placed.record.hrdata)) rejectUnreadableNumbers(placed.record.hrdata, HEART, tally, index, 'hrdata.');
  return workout(placed);
}

/** The same of a notification, which is about a new workout and may say less than the list. */
export function deliveredWorkout(record: unknown, tally: Tally): DeliveredRecords | undefined {
  const found = workoutOf(record, tally);
  if (!found) return undefined;
  // One that comes late may have the date of before a correction.
  return { records: [{ ...found, isCreation: true }], span: { startMs: found.startMs, endMs: found.endMs } };
}

/** The key is the only id: `workoutId` is 0 for all. A workout that was just made has no end yet. */
function placeOf({ workoutKey, startTime, stopTime, totalTime }: PayloadObject) {
  const startMs = numberOf(startTime) ?? Number.NaN;
  const endMs = positive(numberOf(stopTime)) ?? startMs + (numberOf(totalTime) ?? Number.NaN) * MS_PER_SECOND;
  return { id: workoutKey, startTime: isoOf(startMs), stopTime: isoOf(endMs) };
}

function isoOf(ms: number): string | undefined {
  return Math.abs(ms) < 8e15 ? new Date(ms).toISOString() : undefined;
}

function offsetOf({ timeOffsetInMinutes: offset }: PayloadObject): number | undefined {
  const minutes = numberOf(offset);
  return minutes !== undefined && isOffsetMinutes(minutes) ? minutes : undefined;
}

/** Speeds are metres a second, energy is in kilocalories here, and all that was spent meanwhile. */
function workout({ record, id, startMs, endMs, offsetMinutes }: PlacedRecord): WorkoutRecord {
  const type = workoutType(numberOf(record.activityId));
  const heart = isObject(record.hrdata) ? record.hrdata : {};
  const seconds = numberOf(record.totalTime);
  return {
    kind: 'workout',
    source: gearSource(record),
    externalId: id,
    // A notification may come before it is known which watch it was.
    idScope: 'writer',
    type,
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: seconds ?? (endMs - startMs) / MS_PER_SECOND,
    movingSeconds: seconds,
    distanceMeters: numberOf(record.totalDistance),
    totalCaloriesKcal: positive(numberOf(record.energyConsumption)),
    stepsCount: positive(numberOf(record.stepCount)),
    heartRateMin: positive(numberOf(heart.min)),
    heartRateAvg: positive(numberOf(heart.avg)) ?? positive(numberOf(heart.workoutAvgHR)),
    // `max` is what the person set as the highest, not what was measured.
    heartRateMax: positive(numberOf(heart.hrmax)) ?? positive(numberOf(heart.workoutMaxHR)),
    averageSpeed: numberOf(record.avgSpeed),
    maxSpeed: numberOf(record.maxSpeed),
    averageWatts: positive(numberOf(record.avgPower)),
    maxWatts: positive(numberOf(record.maxPower)),
    averageCadence: cadenceOf(record, cadenceFactor(type)),
    elevationGainMeters: numberOf(record.totalAscent),
    ...altitudes(record),
    ...(record.isManuallyAdded === true && { userEntered: true }),
    metadata: metadataOf(record),
  };
}

/** Both 0 say that nothing was measured; one of them may be the level of the sea. */
function altitudes(record: PayloadObject): Pick<WorkoutRecord, 'elevationLowMeters' | 'elevationHighMeters'> {
  const low = numberOf(record.minAltitude);
  const high = numberOf(record.maxAltitude);
  if ((low ?? 0) === 0 && (high ?? 0) === 0) return {};
  return {
    elevationLowMeters: low === undefined ? undefined : low / DECIMETRES,
    elevationHighMeters: high === undefined ? undefined : high / DECIMETRES,
  };
}

/** Of one leg a minute, or, in the summary, a second. */
function cadenceOf(record: PayloadObject, factor: number | undefined): number | undefined {
  const perMinute = isObject(record.cadence) ? positive(numberOf(record.cadence.avg)) : undefined;
  const perSecond = positive(numberOf(summaryOf(record).avgCadence));
  const cadence = perMinute ?? (perSecond === undefined ? undefined : perSecond * SECONDS_PER_MINUTE);
  return cadence === undefined || factor === undefined ? undefined : cadence * factor;
}

function metadataOf(record: PayloadObject): Record<string, string | number | boolean> {
  const tss = isObject(record.tss) ? record.tss : {};
  const kelvin = positive(numberOf(summaryOf(record).avgTemperature));
  const facts = {
    vendor_type: numberOf(record.activityId),
    total_descent_meters: numberOf(record.totalDescent),
    recovery_time_seconds: positive(numberOf(record.recoveryTime)),
    training_stress_score: positive(numberOf(tss.trainingStressScore)),
    average_temperature_celsius: kelvin === undefined ? undefined : Math.round((kelvin - KELVIN) * 10) / 10,
  };
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The summary among the extensions of a workout; empty without one. */
function summaryOf({ extensions }: PayloadObject): PayloadObject {
  const all: readonly unknown[] = Array.isArray(extensions) ? extensions : [];
  return all.filter(isObject).find(({ type }) => type === 'SummaryExtension') ?? {};
}

/** The device that recorded a workout. It stands in the workout itself or in its summary. */
function gearSource(workout: PayloadObject): SourceIdentity {
  const gear = [workout.gear, summaryOf(workout).gear].find(isObject) ?? {};
  // `name` may be the vendor's code word of a model.
  const model = textOf(gear.displayName) ?? textOf(gear.name);
  const softwareVersion = textOf(gear.swVersion) ?? textOf(gear.softwareVersion);
  const deviceId = idOf(gear.serialNumber);
  return deviceSource(model, {
    ...(softwareVersion !== undefined && { softwareVersion }),
    ...(deviceId !== undefined && { deviceId }),
  });
}
