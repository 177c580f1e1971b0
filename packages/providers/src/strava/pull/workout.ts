import { isOffsetMinutes, MS_PER_SECOND, SECONDS_PER_MINUTE, WORKOUT_LENGTH, type WorkoutRecord } from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject, textOf } from '../../payload/index.js';
import {
  cadenceFactor,
  countUnreadable,
  instantMs,
  membersOf,
  numberIdOf,
  type PlacedRecord,
  placedRecord,
} from '../../rest/index.js';
import { sourceOf } from './source.js';
import { workoutType } from './sports.js';

const PLACE = { start: 'start_date', end: 'end_date', offsetOf };
/** Members that are stored as they are, in `metadata`. */
const KEPT = ['visibility', 'commute', 'device_watts'];

/** Members that are understood if they are of this kind. */
const READ = {
  ...membersOf('number', [
    'elapsed_time',
    'moving_time',
    'distance',
    'calories',
    'kilojoules',
    'average_heartrate',
    'max_heartrate',
    'average_speed',
    'max_speed',
    'average_watts',
    'max_watts',
    'average_cadence',
    'total_elevation_gain',
    'elev_low',
    'elev_high',
    'utc_offset',
  ]),
  ...membersOf('text', ['name', 'sport_type', 'type', 'device_name', 'visibility']),
  ...membersOf('boolean', ['trainer', 'manual', 'commute', 'device_watts']),
  start_date_local: 'instant',
} as const;

/** When an activity starts, in milliseconds; NaN without a time. */
export const startOf = (activity: unknown) => (isObject(activity) ? instantMs(activity.start_date) : Number.NaN);

/** An activity's place in time; undefined, and a rejection, when it has none that can be stored. */
export function placedActivity(activity: unknown, tally: Tally): PlacedRecord | undefined {
  if (!isObject(activity)) return placedRecord(activity, PLACE, WORKOUT_LENGTH, tally);
  const seconds = numberOf(activity.elapsed_time) ?? numberOf(activity.moving_time);
  const endMs = startOf(activity) + (seconds ?? Number.NaN) * MS_PER_SECOND;
  const end_date = Number.isFinite(endMs) && Math.abs(endMs) < 8e15 ? new Date(endMs).toISOString() : undefined;
  const placed = placedRecord({ ...activity, id: numberIdOf(activity.id), end_date }, PLACE, WORKOUT_LENGTH, tally);
  if (placed) countUnreadable(activity, READ, tally.fault);
  return placed;
}

/**
 * The vendor's label of the zone has the offset of the winter and is not looked at. Old records have no offset, but the wall
 * clock at their start, written as if it were UTC.
 */
function offsetOf({ utc_offset: offset, start_date, start_date_local }: PayloadObject): number | undefined {
  const seconds = numberOf(offset) ?? (instantMs(start_date_local) - instantMs(start_date)) / MS_PER_SECOND;
  const minutes = Math.round(seconds / SECONDS_PER_MINUTE);
  return isOffsetMinutes(minutes) ? minutes : undefined;
}

/** The workout of an activity. */
export function workoutOf({ record, id, startMs, endMs, offsetMinutes }: PlacedRecord): WorkoutRecord {
  const sport = textOf(record.sport_type);
  const kind = textOf(record.type);
  const onTrainer = record.trainer === true;
  const type = workoutType(sport, kind, onTrainer);
  const cadence = numberOf(record.average_cadence);
  const factor = cadenceFactor(type);
  const kept = KEPT.flatMap((name) => {
    const value = record[name];
    return typeof value === 'boolean' || typeof value === 'string' ? [[name, value] as const] : [];
  });
  return {
    kind: 'workout',
    source: sourceOf(record),
    externalId: id,
    // The device may be named later, or in another way.
    idScope: 'writer',
    type,
    name: textOf(record.name),
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: (endMs - startMs) / MS_PER_SECOND,
    movingSeconds: numberOf(record.moving_time),
    distanceMeters: numberOf(record.distance),
    totalCaloriesKcal: energyOf(record),
    heartRateAvg: numberOf(record.average_heartrate),
    heartRateMax: numberOf(record.max_heartrate),
    averageSpeed: numberOf(record.average_speed),
    maxSpeed: numberOf(record.max_speed),
    averageWatts: numberOf(record.average_watts),
    maxWatts: numberOf(record.max_watts),
    averageCadence: cadence === undefined || factor === undefined ? undefined : cadence * factor,
    elevationGainMeters: numberOf(record.total_elevation_gain),
    elevationLowMeters: numberOf(record.elev_low),
    elevationHighMeters: numberOf(record.elev_high),
    ...((onTrainer || /^Virtual/.test(sport ?? kind ?? '')) && { indoor: true }),
    ...(record.manual === true && { userEntered: true }),
    metadata: {
      ...((sport ?? kind) !== undefined && { vendor_type: sport ?? kind ?? '' }),
      ...Object.fromEntries(kept),
    },
  };
}

/**
 * Kilocalories. Without details there is only the work of a ride, in kilojoules, which is about what the body spent in
 * kilocalories: of four parts that it spends one reaches the pedals, and a kilocalorie has some four kilojoules.
 */
function energyOf({ kilojoules, calories }: PayloadObject): number | undefined {
  return positive(calories) ?? positive(kilojoules);
}

/** 0 means that the vendor does not know. */
function positive(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number > 0 ? number : undefined;
}
