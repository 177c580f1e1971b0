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
import { z } from 'zod';
import {
  idOf,
  isObject,
  numberOf,
  type PayloadObject,
  type PayloadOf,
  readPayload,
  textOf,
} from '../../payload/index.js';
import { averageWatts, factsOf, SECOND, type Second, type SecondsFacts, samplesOf } from './activity-seconds.js';
import { msOf, type Place, placeOf } from './place.js';
import { faultOf, PLACE, readParts, type SummaryReader, type SummaryReading, summaryReader } from './reading.js';
import { activitySource } from './source.js';
import { workoutType } from './sports.js';

/** An activity: the summary of a workout. */
const ACTIVITY = PLACE.extend({
  activityId: z.unknown(),
  /** Older items contain the activity's id only in this member. */
  summaryId: z.unknown(),
  parentSummaryId: z.unknown(),
  activityType: z.string(),
  activityName: z.string(),
  deviceName: z.string(),
  manual: z.boolean(),
  isParent: z.boolean(),
  distanceInMeters: z.number(),
  activeKilocalories: z.number(),
  steps: z.number(),
  averageHeartRateInBeatsPerMinute: z.number(),
  maxHeartRateInBeatsPerMinute: z.number(),
  averageSpeedInMetersPerSecond: z.number(),
  maxSpeedInMetersPerSecond: z.number(),
  averageRunCadenceInStepsPerMinute: z.number(),
  averageBikeCadenceInRoundsPerMinute: z.number(),
  averageBikeCadenceInRPM: z.number(),
  averageSwimCadenceInStrokesPerMinute: z.number(),
  totalElevationGainInMeters: z.number(),
  elevationGainInMeters: z.number(),
  laps: z.array(z.unknown()),
});
type Activity = PayloadOf<typeof ACTIVITY>;

/** Activity with its seconds. The ids and the offset are in the summary or next to it. */
const DETAILS = z.object({
  activityId: z.unknown(),
  summaryId: z.unknown(),
  summary: z.custom<PayloadObject>(isObject),
  samples: z.array(z.unknown()),
  laps: z.array(z.unknown()),
});
/** Converted content of a file, with its announcement. */
const FILE = ACTIVITY.extend({
  samples: z.array(z.unknown()),
  damage: z.string(),
  figures: z.custom<PayloadObject>(isObject),
});
/** A lap. */
const LAP = z.object({ startTimeInSeconds: z.number() });

const DETAIL_ENDING = /-detail$/;

/**
 * Rank of activities that a user entered or edited. An edited activity wins over recorded activities, which are resent
 * for days.
 */
const EDITED = 1;
const RECORDED = 0;

/** An activity without its seconds. */
export const readActivity = summaryReader(ACTIVITY, (item, reading) =>
  readWorkout({ summary: item, item, isNamed: true, seconds: [], rank: RECORDED }, reading),
);

/** An activity that a user entered or edited. */
export const readEditedActivity = summaryReader(ACTIVITY, (item, reading) =>
  readWorkout({ summary: item, item, isNamed: true, seconds: [], rank: EDITED }, reading),
);

/** An activity with its seconds, laps and route, identified by `activityId`. */
export const readActivityDetails = summaryReader(DETAILS, (item, reading) => {
  const { summary: inside = {}, samples, ...rest } = item;
  const count = faultOf(reading);
  const summary = readPayload(ACTIVITY.omit({ laps: true }), { ...rest, ...inside }, (field) =>
    count(`summary.${field}`),
  );
  // A workout's identity includes its device. Details without a device belong to an activity that arrives separately.
  const isNamed = item.summary === undefined || textOf(summary.deviceName) !== undefined;
  const seconds = readParts(SECOND, samples, 'samples', reading.countSecond);
  return readWorkout({ summary, item, isNamed, seconds, rank: RECORDED }, reading);
});

/**
 * File of an activity from {@link activityFileItems}: seconds, laps, and figures that the summary may lack. It
 * completes the activity's workout and never creates one.
 */
export const readActivityFile = summaryReader(FILE, (item, reading) => {
  const { damage, figures = {} } = item;
  if (damage !== undefined) reading.tally.reject(reading.index, 'activityFile', 'damaged', damage);
  const seconds = readParts(SECOND, item.samples, 'samples', reading.countSecond);
  const read = readWorkout({ summary: item, item, isNamed: true, seconds, rank: RECORDED }, reading);
  return (
    read && {
      ...read,
      records: read.records.flatMap((record): HealthRecord[] => {
        if (record.kind !== 'workout') return [record];
        // Skips the figures of a damaged file, because the extremes of a part are not the extremes of the workout.
        return damage === undefined ? [{ ...record, ...figuresOf(figures), isCompletion: true }] : [];
      }),
    }
  );
});

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

/** Input of a workout. */
interface ActivityParts {
  summary: Activity;
  /** Contains the laps, and the ids unless the summary has them. */
  item: Pick<Activity, 'activityId' | 'summaryId' | 'laps'>;
  /** True if the device is known or not required. */
  isNamed: boolean;
  seconds: readonly Second[];
  rank: number;
}

function readWorkout(
  { summary, item, isNamed, seconds, rank }: ActivityParts,
  reading: SummaryReading,
): ReturnType<SummaryReader> {
  const { tally, index, piece } = reading;
  const place = placeOf(summary, reading);
  const id = activityIdOf(item) ?? activityIdOf(summary);
  if (!place) return undefined;
  if (id === undefined) {
    tally.reject(index, 'activityId', 'missing');
    return undefined;
  }
  // The vendor also sends the parts as separate activities. Storing both would count the activity twice.
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
  const laps = lapsOf(readParts(LAP, item.laps, 'laps', faultOf(reading)), place);
  if (isNamed && piece?.isLast !== false) {
    const facts = piece?.facts ?? factsOf(seconds, {});
    records.unshift(workoutOf(summary, place, id, activitySource(summary), facts, laps));
  }
  const precedence = { family: 'activity', key: id, rank };
  return { records, span: { startMs: place.startMs, endMs: place.endMs }, precedence };
}

/** The vendor's number of the activity; older items contain it only in the summary's id. */
function activityIdOf({ activityId, summaryId }: Pick<Activity, 'activityId' | 'summaryId'>): string | undefined {
  const number = numberOf(activityId);
  if (number !== undefined && Number.isSafeInteger(number)) return String(number);
  return idOf(activityId) ?? idOf(summaryId)?.replace(DETAIL_ENDING, '');
}

function workoutOf(
  summary: Activity,
  { startMs, endMs, offsetMinutes }: Place,
  externalId: string,
  source: SourceIdentity,
  facts: SecondsFacts,
  laps: WorkoutEvent[],
): WorkoutRecord {
  const sport = textOf(summary.activityType);
  const parent = numberOf(summary.parentSummaryId) ?? idOf(summary.parentSummaryId);
  return {
    kind: 'workout',
    source,
    externalId,
    // Identifies the workout by its id across all devices, because an edit may lack the device that recorded the
    // activity.
    idScope: 'writer',
    type: workoutType(sport),
    name: textOf(summary.activityName),
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: (endMs - startMs) / MS_PER_SECOND,
    movingSeconds: facts.longestMoving,
    distanceMeters: summary.distanceInMeters,
    caloriesKcal: summary.activeKilocalories,
    stepsCount: summary.steps,
    heartRateAvg: summary.averageHeartRateInBeatsPerMinute,
    heartRateMax: summary.maxHeartRateInBeatsPerMinute,
    heartRateMin: facts.lowestHeartRate,
    averageSpeed: summary.averageSpeedInMetersPerSecond,
    maxSpeed: summary.maxSpeedInMetersPerSecond,
    averageCadence:
      summary.averageRunCadenceInStepsPerMinute ??
      summary.averageBikeCadenceInRoundsPerMinute ??
      summary.averageBikeCadenceInRPM ??
      summary.averageSwimCadenceInStrokesPerMinute,
    averageWatts: averageWatts(facts),
    maxWatts: facts.mostWatts,
    elevationGainMeters: summary.totalElevationGainInMeters ?? summary.elevationGainInMeters,
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

/** Returns the laps. A lap lasts until the next lap starts. */
function lapsOf(laps: readonly PayloadOf<typeof LAP>[], { endMs }: Place): WorkoutEvent[] {
  const starts = laps.flatMap((lap) => msOf(lap.startTimeInSeconds) ?? []).sort((a, b) => a - b);
  return starts.map((startMs, at): WorkoutEvent => {
    const durationSeconds = Math.max(0, ((starts[at + 1] ?? endMs) - startMs) / MS_PER_SECOND);
    return { type: 'lap', startMs, durationSeconds };
  });
}
