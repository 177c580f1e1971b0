import { isOffsetMinutes, MS_PER_SECOND, SECONDS_PER_MINUTE, WORKOUT_LENGTH, type WorkoutRecord } from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject, type PayloadOf, readPayload, textOf } from '../../payload/index.js';
import { cadenceFactor, instantMs, numberIdOf, type PlacedRecord, placedRecord } from '../../rest/index.js';
import { sourceOf } from './source.js';
import { workoutType } from './sports.js';

/** An activity of the list, with its details. `id` and `start_date` identify it. */
const ACTIVITY = z.object({
  /** Seconds, like `moving_time`. */
  elapsed_time: z.number(),
  moving_time: z.number(),
  /** Meters, like the elevations. */
  distance: z.number(),
  /** Kilocalories; in details only. */
  calories: z.number(),
  /** Work of a ride. */
  kilojoules: z.number(),
  average_heartrate: z.number(),
  max_heartrate: z.number(),
  /** Meters per second. */
  average_speed: z.number(),
  max_speed: z.number(),
  average_watts: z.number(),
  max_watts: z.number(),
  /** On foot, the steps of one leg. */
  average_cadence: z.number(),
  total_elevation_gain: z.number(),
  elev_low: z.number(),
  elev_high: z.number(),
  /** Seconds ahead of UTC. Old records lack it. */
  utc_offset: z.number().refine((seconds) => isOffsetMinutes(Math.round(seconds / SECONDS_PER_MINUTE))),
  name: z.string(),
  sport_type: z.string(),
  /** The vendor's older and coarser name of the sport. */
  type: z.string(),
  device_name: z.string(),
  visibility: z.string(),
  trainer: z.boolean(),
  /** Entered manually. */
  manual: z.boolean(),
  commute: z.boolean(),
  /** True if the power was measured. */
  device_watts: z.boolean(),
  /** Local time, written as if it were UTC. */
  start_date_local: z.string().refine((text) => !Number.isNaN(instantMs(text))),
});
type Activity = PayloadOf<typeof ACTIVITY>;

/** An activity with its time. */
interface PlacedActivity extends PlacedRecord {
  activity: Activity;
}

const PLACE = { start: 'start_date', end: 'end_date', offsetOf };

/** Returns an activity's start in milliseconds; NaN without a time. */
export const startOf = (activity: unknown) => (isObject(activity) ? instantMs(activity.start_date) : Number.NaN);

/** Returns an activity with its time. Rejects it and returns undefined if its time cannot be stored. */
export function placedActivity(activity: unknown, tally: Tally): PlacedActivity | undefined {
  if (!isObject(activity)) return void placedRecord(activity, PLACE, WORKOUT_LENGTH, tally);
  const seconds = numberOf(activity.elapsed_time) ?? numberOf(activity.moving_time);
  const endMs = startOf(activity) + (seconds ?? Number.NaN) * MS_PER_SECOND;
  const end_date = Number.isFinite(endMs) && Math.abs(endMs) < 8e15 ? new Date(endMs).toISOString() : undefined;
  const placed = placedRecord({ ...activity, id: numberIdOf(activity.id), end_date }, PLACE, WORKOUT_LENGTH, tally);
  return placed && { ...placed, activity: readPayload(ACTIVITY, activity, tally.fault) };
}

/**
 * Returns minutes ahead of UTC. Ignores the vendor's zone label, which contains the winter offset. Some old records
 * lack the offset. If the offset is missing or impossible, derives it from the local start, which is written as if it
 * were UTC.
 */
function offsetOf({ utc_offset, start_date, start_date_local }: PayloadObject): number | undefined {
  const difference = (instantMs(start_date_local) - instantMs(start_date)) / MS_PER_SECOND;
  return [numberOf(utc_offset) ?? Number.NaN, difference]
    .map((seconds) => Math.round(seconds / SECONDS_PER_MINUTE))
    .find(isOffsetMinutes);
}

/** Returns an activity's workout. */
export function workoutOf({ activity, id, startMs, endMs, offsetMinutes }: PlacedActivity): WorkoutRecord {
  const { average_cadence: cadence, trainer: onTrainer = false } = activity;
  const sport = textOf(activity.sport_type);
  const kind = textOf(activity.type);
  const type = workoutType(sport, kind, onTrainer);
  const factor = cadenceFactor(type);
  return {
    kind: 'workout',
    source: sourceOf(activity.device_name),
    externalId: id,
    // Identifies the workout by its id across all devices, because the device may be named later or differently.
    idScope: 'writer',
    type,
    name: textOf(activity.name),
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: (endMs - startMs) / MS_PER_SECOND,
    movingSeconds: activity.moving_time,
    distanceMeters: activity.distance,
    totalCaloriesKcal: energyOf(activity),
    heartRateAvg: activity.average_heartrate,
    heartRateMax: activity.max_heartrate,
    averageSpeed: activity.average_speed,
    maxSpeed: activity.max_speed,
    averageWatts: activity.average_watts,
    maxWatts: activity.max_watts,
    averageCadence: cadence === undefined || factor === undefined ? undefined : cadence * factor,
    elevationGainMeters: activity.total_elevation_gain,
    elevationLowMeters: activity.elev_low,
    elevationHighMeters: activity.elev_high,
    ...((onTrainer || /^Virtual/.test(sport ?? kind ?? '')) && { indoor: true }),
    ...(activity.manual && { userEntered: true }),
    metadata: metadataOf(activity),
  };
}

function metadataOf({ sport_type, type, visibility, commute, device_watts }: Activity): WorkoutRecord['metadata'] {
  const members = {
    vendor_type: textOf(sport_type) ?? textOf(type),
    visibility: textOf(visibility),
    commute,
    device_watts,
  };
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/**
 * Returns kilocalories. The list contains only the work of a ride in kilojoules, which roughly equals the kilocalories
 * spent: about a quarter of the energy reaches the pedals, and a kilocalorie has about four kilojoules. The vendor
 * writes 0 for an unknown value.
 */
function energyOf({ kilojoules = 0, calories = 0 }: Activity): number | undefined {
  return [calories, kilojoules].find((value) => value > 0);
}
