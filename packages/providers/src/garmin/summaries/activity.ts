import {
  brokenLength,
  type HealthRecord,
  MS_PER_SECOND,
  readingsId,
  type SourceIdentity,
  WORKOUT_LENGTH,
  type WorkoutEvent,
  type WorkoutRecord,
} from '@healthd/model';
import { idOf, isObject, numberOf, type PayloadObject, textOf } from '../../payload/index.js';
import { averageWatts, factsOf, type SecondsFacts, samplesOf } from './activity-seconds.js';
import { msOf, type Place, placeOf } from './place.js';
import type { SummaryReader, SummaryReading } from './reading.js';
import { activitySource } from './source.js';
import { workoutType } from './sports.js';

const DETAIL_ENDING = /-detail$/;

/** Rank of what a person entered or changed: the vendor repeats the recorded activity for days. */
const EDITED = 1;
const RECORDED = 0;

/** An activity: the summary of a workout. */
export const readActivity: SummaryReader = (item, reading) => readWorkout(item, item, reading, [], RECORDED);

/** An activity that a person entered or changed. */
export const readEditedActivity: SummaryReader = (item, reading) => readWorkout(item, item, reading, [], EDITED);

/** The same activity with its seconds, laps and the way that it took; `activityId` says which one. */
export const readActivityDetails: SummaryReader = (item, reading) => {
  const summary = isObject(item.summary) ? item.summary : {};
  const samples = Array.isArray(item.samples) ? item.samples.filter(isObject) : [];
  // Ids and offset may stand beside the summary or in it.
  return readWorkout({ ...item, ...summary }, item, reading, samples, RECORDED);
};

/**
 * The file of an activity, as {@link activityFileItem} gives it: seconds and laps, and figures that the summary may lack. It
 * completes the workout of the activity and makes none.
 */
export const readActivityFile: SummaryReader = (item, reading) => {
  const damage = textOf(item.damage);
  if (damage !== undefined) reading.tally.reject(reading.index, 'activityFile', 'damaged', damage);
  const seconds = Array.isArray(item.samples) ? item.samples.filter(isObject) : [];
  const read = readWorkout(item, item, reading, seconds, RECORDED);
  const figures = isObject(item.figures) ? item.figures : {};
  return (
    read && {
      ...read,
      records: read.records.flatMap((record): HealthRecord[] => {
        if (record.kind !== 'workout') return [record];
        // The extremes of a part are not those of the workout.
        return damage === undefined ? [{ ...record, ...figuresOf(figures), isCompletion: true }] : [];
      }),
    }
  );
};

function figuresOf(figures: PayloadObject) {
  return {
    heartRateMin: numberOf(figures.heartRateMin),
    heartRateAvg: numberOf(figures.heartRateAvg),
    heartRateMax: numberOf(figures.heartRateMax),
    elevationGainMeters: numberOf(figures.elevationGainMeters),
    elevationLowMeters: numberOf(figures.elevationLowMeters),
    elevationHighMeters: numberOf(figures.elevationHighMeters),
  };
}

function readWorkout(
  summary: PayloadObject,
  item: PayloadObject,
  reading: SummaryReading,
  seconds: readonly PayloadObject[],
  rank: number,
): ReturnType<SummaryReader> {
  const { tally, index, piece } = reading;
  const place = placeOf(summary, reading);
  const id = activityIdOf(item) ?? activityIdOf(summary);
  if (!place) return undefined;
  if (id === undefined) {
    tally.reject(index, 'activityId', 'missing');
    return undefined;
  }
  // Its parts come as activities of their own; both would count twice.
  if (summary.isParent === true) {
    tally.superseded++;
    return undefined;
  }
  const bound = brokenLength(place, WORKOUT_LENGTH);
  if (bound !== undefined) {
    tally.reject(index, 'durationInSeconds', 'implausible', bound);
    return undefined;
  }
  const records: HealthRecord[] = samplesOf(seconds, place, readingsId('garmin', id));
  // A workout belongs to its device. Details that do not name it belong to an activity that comes by itself.
  const isWorkout = item.summary === undefined || textOf(summary.deviceName) !== undefined;
  if (isWorkout && piece?.isLast !== false) {
    const facts = piece?.facts ?? factsOf(seconds, {});
    records.unshift(workoutOf(summary, place, id, activitySource(summary), facts, lapsOf(item.laps, place)));
  }
  const precedence = { family: 'activity', key: id, rank };
  return { records, span: { startMs: place.startMs, endMs: place.endMs }, precedence };
}

/** The vendor's number of the activity; older items have it in the id of the summary alone. */
function activityIdOf({ activityId, summaryId }: PayloadObject): string | undefined {
  const number = numberOf(activityId);
  if (number !== undefined && Number.isSafeInteger(number)) return String(number);
  return idOf(activityId) ?? idOf(summaryId)?.replace(DETAIL_ENDING, '');
}

function workoutOf(
  summary: PayloadObject,
  { startMs, endMs, offsetMinutes }: Place,
  externalId: string,
  source: SourceIdentity,
  facts: SecondsFacts,
  laps: WorkoutEvent[],
): WorkoutRecord {
  const value = (...members: string[]) => members.map((member) => numberOf(summary[member])).find(isGiven);
  const sport = textOf(summary.activityType);
  const parent = numberOf(summary.parentSummaryId) ?? idOf(summary.parentSummaryId);
  return {
    kind: 'workout',
    source,
    externalId,
    // An edit may come without the device that recorded the activity.
    idScope: 'writer',
    type: workoutType(sport),
    name: textOf(summary.activityName),
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: (endMs - startMs) / MS_PER_SECOND,
    movingSeconds: facts.longestMoving,
    distanceMeters: value('distanceInMeters'),
    caloriesKcal: value('activeKilocalories'),
    stepsCount: value('steps'),
    heartRateAvg: value('averageHeartRateInBeatsPerMinute'),
    heartRateMax: value('maxHeartRateInBeatsPerMinute'),
    heartRateMin: facts.lowestHeartRate,
    averageSpeed: value('averageSpeedInMetersPerSecond'),
    maxSpeed: value('maxSpeedInMetersPerSecond'),
    averageCadence: value(
      'averageRunCadenceInStepsPerMinute',
      'averageBikeCadenceInRoundsPerMinute',
      'averageBikeCadenceInRPM',
      'averageSwimCadenceInStrokesPerMinute',
    ),
    averageWatts: averageWatts(facts),
    maxWatts: facts.mostWatts,
    elevationGainMeters: value('totalElevationGainInMeters', 'elevationGainInMeters'),
    elevationLowMeters: facts.lowestMeters,
    elevationHighMeters: facts.highestMeters,
    ...(summary.manual === true && { userEntered: true }),
    ...(laps.length > 0 && { events: laps }),
    metadata: {
      ...(sport !== undefined && { vendor_type: sport }),
      ...(parent !== undefined && { parent_id: String(parent) }),
    },
  };
}

/** A lap lasts until the next one begins. */
function lapsOf(list: unknown, { endMs }: Place): WorkoutEvent[] {
  if (!Array.isArray(list)) return [];
  const starts = list.flatMap((lap: unknown) => (isObject(lap) ? (msOf(lap.startTimeInSeconds) ?? []) : []));
  starts.sort((a, b) => a - b);
  return starts.map((startMs, at): WorkoutEvent => {
    const durationSeconds = Math.max(0, ((starts[at + 1] ?? endMs) - startMs) / MS_PER_SECOND);
    return { type: 'lap', startMs, durationSeconds };
  });
}

function isGiven(value: number | undefined): value is number {
  return value !== undefined;
}
