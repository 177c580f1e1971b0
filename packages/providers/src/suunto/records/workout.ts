import {
  isOffsetMinutes,
  MS_PER_SECOND,
  type SourceIdentity,
  WORKOUT_LENGTH,
  type WorkoutRecord,
} from '@healthd/model';
import { z } from 'zod';
import type { DeliveredRecords, Tally } from '../../cloud/index.js';
import {
  idOf,
  isObject,
  numberOf,
  type PayloadObject,
  type PayloadOf,
  readPayload,
  textOf,
} from '../../payload/index.js';
import { cadenceFactor, type PlacedRecord, placedRecord } from '../../rest/index.js';
import { positive } from './series.js';
import { deviceSource } from './source.js';
import { workoutType } from './sports.js';

/** The device that recorded a workout. `name` may be the vendor's code name of a model. */
const GEAR = z.object({
  displayName: z.string(),
  name: z.string(),
  serialNumber: z.string(),
  swVersion: z.string(),
  softwareVersion: z.string(),
});

/** A workout of the list, or of a notification, which may be less complete. */
const WORKOUT = z.object({
  /** The only id, because `workoutId` is always 0. */
  workoutKey: z.string(),
  activityId: z.number(),
  /** Milliseconds since 1970. A new workout has no end yet. */
  startTime: z.number(),
  stopTime: z.number(),
  timeOffsetInMinutes: z.number(),
  /** Seconds. */
  totalTime: z.number(),
  /** Meters. */
  totalDistance: z.number(),
  totalAscent: z.number(),
  totalDescent: z.number(),
  /** Tenths of a meter. */
  minAltitude: z.number(),
  maxAltitude: z.number(),
  /** Meters per second. */
  avgSpeed: z.number(),
  maxSpeed: z.number(),
  avgPower: z.number(),
  maxPower: z.number(),
  /** Active and basal energy together, in kilocalories. Outside of workouts, the vendor's unit is joules. */
  energyConsumption: z.number(),
  stepCount: z.number(),
  /** Seconds. */
  recoveryTime: z.number(),
  /** Omits `max`, which is the user's configured maximum, not a measurement. */
  hrdata: z.object({
    min: z.number(),
    avg: z.number(),
    workoutAvgHR: z.number(),
    hrmax: z.number(),
    workoutMaxHR: z.number(),
  }),
  /** One leg's steps per minute. */
  cadence: z.object({ avg: z.number() }),
  tss: z.object({ trainingStressScore: z.number() }),
  isManuallyAdded: z.boolean(),
  gear: GEAR,
  /** Extensions of the workout. One of them is a {@link SUMMARY}. */
  extensions: z.array(z.unknown()),
});

/** The extension `SummaryExtension`. Cadence is one leg's steps per second, temperature in kelvins. */
const SUMMARY = z.object({ avgCadence: z.number(), avgTemperature: z.number(), gear: GEAR });

/** A workout with its summary. */
interface SuuntoWorkout extends PayloadOf<typeof WORKOUT> {
  summary: PayloadOf<typeof SUMMARY>;
}

const PLACE = { start: 'startTime', end: 'stopTime', offsetOf };
const DECIMETERS = 10;
const SECONDS_PER_MINUTE = 60;
const KELVIN = 273.15;

/** Reads a workout. Rejects a workout without an id or a time and returns undefined. */
export function workoutOf(record: unknown, tally: Tally): WorkoutRecord | undefined {
  if (!isObject(record)) return void placedRecord(record, PLACE, WORKOUT_LENGTH, tally);
  const faults: string[] = [];
  const payload = readPayload(WORKOUT, record, (field) => faults.push(field));
  const placed = placedRecord(placeOf(payload), PLACE, WORKOUT_LENGTH, tally);
  if (!placed) return undefined;
  const extensions = payload.extensions ?? [];
  const summary = readPayload(SUMMARY, summaryOf(extensions), (field) => faults.push(`extensions.${field}`));
  if (!extensions.every((one) => isObject(one) && typeof one.type === 'string')) faults.push('extensions');
  const hasOddOffset = payload.timeOffsetInMinutes !== undefined && placed.offsetMinutes === undefined;
  if (hasOddOffset) faults.push('timeOffsetInMinutes');
  for (const field of faults) tally.fault(field);
  return workout({ ...payload, summary }, placed);
}

/** Reads workouts of a list. */
export function workoutRecords(records: readonly unknown[], tally: Tally): WorkoutRecord[] {
  return records.flatMap((record) => workoutOf(record, tally) ?? []);
}

/** Returns the records of a notification about a new workout, which may be less complete than the list. */
export function deliveredWorkout(record: unknown, tally: Tally): DeliveredRecords | undefined {
  const found = workoutOf(record, tally);
  if (!found) return undefined;
  // Marks the workout as new. Otherwise a late notification could undo a correction of the date.
  return { records: [{ ...found, isCreation: true }], span: { startMs: found.startMs, endMs: found.endMs } };
}

function placeOf({
  workoutKey,
  startTime = Number.NaN,
  stopTime,
  totalTime = Number.NaN,
  timeOffsetInMinutes,
}: PayloadOf<typeof WORKOUT>) {
  const endMs = positive(stopTime) ?? startTime + totalTime * MS_PER_SECOND;
  return { id: workoutKey, startTime: isoOf(startTime), stopTime: isoOf(endMs), offset: timeOffsetInMinutes };
}

function isoOf(ms: number): string | undefined {
  return Math.abs(ms) < 8e15 ? new Date(ms).toISOString() : undefined;
}

function offsetOf({ offset }: PayloadObject): number | undefined {
  const minutes = numberOf(offset);
  return minutes !== undefined && isOffsetMinutes(minutes) ? minutes : undefined;
}

function workout(record: SuuntoWorkout, { id, startMs, endMs, offsetMinutes }: PlacedRecord): WorkoutRecord {
  const type = workoutType(record.activityId);
  const { hrdata: heart = {}, totalTime: seconds } = record;
  return {
    kind: 'workout',
    source: gearSource(record),
    externalId: id,
    // Makes the id independent of the device, because a notification may arrive before the watch is identified.
    idScope: 'writer',
    type,
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: seconds ?? (endMs - startMs) / MS_PER_SECOND,
    movingSeconds: seconds,
    distanceMeters: record.totalDistance,
    totalCaloriesKcal: positive(record.energyConsumption),
    stepsCount: positive(record.stepCount),
    heartRateMin: positive(heart.min),
    heartRateAvg: positive(heart.avg) ?? positive(heart.workoutAvgHR),
    heartRateMax: positive(heart.hrmax) ?? positive(heart.workoutMaxHR),
    averageSpeed: record.avgSpeed,
    maxSpeed: record.maxSpeed,
    averageWatts: positive(record.avgPower),
    maxWatts: positive(record.maxPower),
    averageCadence: cadenceOf(record, cadenceFactor(type)),
    elevationGainMeters: record.totalAscent,
    ...altitudes(record),
    ...(record.isManuallyAdded === true && { userEntered: true }),
    metadata: metadataOf(record),
  };
}

/** Returns altitudes. Two zeros mean that nothing was measured; a single 0 may be sea level. */
function altitudes({
  minAltitude: low,
  maxAltitude: high,
}: SuuntoWorkout): Pick<WorkoutRecord, 'elevationLowMeters' | 'elevationHighMeters'> {
  if ((low ?? 0) === 0 && (high ?? 0) === 0) return {};
  return {
    elevationLowMeters: low === undefined ? undefined : low / DECIMETERS,
    elevationHighMeters: high === undefined ? undefined : high / DECIMETERS,
  };
}

function cadenceOf({ cadence, summary }: SuuntoWorkout, factor: number | undefined): number | undefined {
  const perSecond = positive(summary.avgCadence);
  const perMinute = positive(cadence?.avg) ?? (perSecond === undefined ? undefined : perSecond * SECONDS_PER_MINUTE);
  return perMinute === undefined || factor === undefined ? undefined : perMinute * factor;
}

function metadataOf(record: SuuntoWorkout): Record<string, string | number | boolean> {
  const kelvin = positive(record.summary.avgTemperature);
  const facts = {
    vendor_type: record.activityId,
    total_descent_meters: record.totalDescent,
    recovery_time_seconds: positive(record.recoveryTime),
    training_stress_score: positive(record.tss?.trainingStressScore),
    average_temperature_celsius: kelvin === undefined ? undefined : Math.round((kelvin - KELVIN) * 10) / 10,
  };
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Returns the summary among a workout's extensions. Empty if missing. */
function summaryOf(extensions: readonly unknown[]): PayloadObject {
  return extensions.filter(isObject).find(({ type }) => type === 'SummaryExtension') ?? {};
}

/** Returns the device from the workout or its summary. */
function gearSource({ gear: own, summary }: SuuntoWorkout): SourceIdentity {
  const gear = own ?? summary.gear ?? {};
  const model = textOf(gear.displayName) ?? textOf(gear.name);
  const softwareVersion = textOf(gear.swVersion) ?? textOf(gear.softwareVersion);
  const deviceId = idOf(gear.serialNumber);
  return deviceSource(model, {
    ...(softwareVersion !== undefined && { softwareVersion }),
    ...(deviceId !== undefined && { deviceId }),
  });
}
