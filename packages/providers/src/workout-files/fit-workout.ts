import { MS_PER_SECOND, type WorkoutRecord } from '@healthd/model';
import {
  completeFromFile,
  type FitActivity,
  type FitDevice,
  FitError,
  type FitFault,
  type FitReading,
  type FitSession,
  readFitActivity,
} from '../fit/index.js';
import { stepUnitOf } from './cadence.js';
import { DocumentError, type DocumentFault, NoWorkoutError } from './document-fault.js';
import type { FileFigures, FileWorkout } from './file-workout.js';
import { fitType, isIndoor } from './sports.js';

const ACTIVITY_FILE = 4;
/** Types of FIT files without a recorded workout, by code. */
const OTHER_FILES: Readonly<Record<number, string>> = {
  1: 'device',
  2: 'settings',
  3: 'sport',
  5: 'workout_plan',
  6: 'course',
  7: 'schedules',
  9: 'weight',
  10: 'totals',
  11: 'goals',
  14: 'blood_pressure',
  15: 'monitoring',
  28: 'monitoring',
  32: 'monitoring',
  34: 'segment',
  35: 'segment',
};

/** Manufacturers by their code in the FIT profile. */
const MANUFACTURERS: Readonly<Record<number, string>> = {
  1: 'Garmin',
  23: 'Suunto',
  32: 'Wahoo',
  89: 'Tacx',
  123: 'Polar',
  258: 'Lezyne',
  260: 'Zwift',
  265: 'Strava',
  267: 'Bryton',
  289: 'Hammerhead',
  294: 'COROS',
  310: 'Decathlon',
  339: 'Zepp',
  348: 'Huawei',
};

const FAULTS: Readonly<Record<FitFault, DocumentFault>> = {
  not_fit: 'not_workout_file',
  truncated: 'truncated',
  checksum: 'checksum',
  malformed: 'malformed',
  too_long: 'too_long',
};

/** Sports in which the profile counts strides. A stride is two steps. */
const COUNTS_STRIDES: ReadonlySet<number | undefined> = new Set([1, 11, 17]);
/** Walking, hiking and snowshoeing, also on a treadmill. */
const WALKS: ReadonlySet<number | undefined> = new Set([11, 17, 35]);

/**
 * Reads the workout of a FIT file.
 * @throws DocumentError if the file cannot be read, NoWorkoutError if it contains no recorded workout
 */
export async function readFitWorkout(bytes: Uint8Array): Promise<FileWorkout> {
  const activity = await readActivity(bytes);
  const { fileType, readings, sessions, laps, pauses, offsetMinutes, device } = activity;
  if (fileType !== undefined && fileType !== ACTIVITY_FILE) {
    throw new NoWorkoutError(`fit/${OTHER_FILES[fileType] ?? 'other'}`);
  }
  const [first] = sessions;
  // A cut file has no session.
  const sports = first || !activity.sport ? sessions : [activity.sport];
  const type = sports.length > 1 ? 'multisport' : fitType(sports[0]?.sport, sports[0]?.subSport);
  const { startMs, endMs } = spanOf(activity);
  const unit = stepUnitOf(type, {
    readings,
    averageCadence: first?.averageCadence,
    isWalk: sports.every(({ sport }) => WALKS.has(sport)),
  });
  const base: WorkoutRecord = { kind: 'workout', source: { provider: 'workout_files' }, type, startMs, endMs };
  const completed = completeFromFile(base, activity, readings.values());
  const model = deviceName(device);
  return {
    format: 'fit',
    type,
    startMs,
    endMs,
    ...(offsetMinutes !== undefined && { offsetMinutes }),
    ...(model !== undefined && { device: model }),
    // Without a sport, a cadence may be of one leg or of pedals.
    cadenceFactor: sports.length === 0 ? undefined : unit.cadenceFactor,
    figures: {
      ...figuresOf(activity, unit.stepsPerCycle),
      heartRateMin: completed.heartRateMin,
      heartRateAvg: completed.heartRateAvg,
      heartRateMax: completed.heartRateMax,
      elevationGainMeters: completed.elevationGainMeters,
      elevationLowMeters: completed.elevationLowMeters,
      elevationHighMeters: completed.elevationHighMeters,
    },
    laps,
    pauses,
    readings,
    ...(activity.damage !== undefined && { isIncomplete: true }),
  };
}

async function readActivity(bytes: Uint8Array): Promise<FitActivity> {
  try {
    return await readFitActivity(bytes);
  } catch (error) {
    if (error instanceof FitError) throw new DocumentError(FAULTS[error.fault], { cause: error });
    throw error;
  }
}

/** Returns the span of the sessions. Without their times, returns the span of all laps and readings. */
function spanOf({ sessions, laps, readings }: FitActivity): { startMs: number; endMs: number } {
  let startMs = Number.POSITIVE_INFINITY;
  let endMs = Number.NEGATIVE_INFINITY;
  const include = (fromMs: number, toMs: number) => {
    startMs = Math.min(startMs, fromMs);
    endMs = Math.max(endMs, toMs);
  };
  for (const { startMs: at, elapsedSeconds = 0 } of sessions) {
    if (at !== undefined) include(at, at + elapsedSeconds * MS_PER_SECOND);
  }
  // A damaged file may have no session, and some devices write no time into it.
  if (!(endMs > startMs)) {
    for (const lap of laps) include(lap.startMs, lap.startMs + lap.durationSeconds * MS_PER_SECOND);
    for (const atMs of readings.keys()) include(atMs, atMs);
  }
  if (!Number.isFinite(startMs)) throw new NoWorkoutError('fit/without_records');
  return { startMs, endMs: Math.round(endMs) };
}

function figuresOf({ sessions, readings, damage }: FitActivity, stepsPerCycle: number): FileFigures {
  const sum = (name: keyof FitSession) => sumOf(sessions.map((session) => session[name]));
  const [first] = sessions;
  const only = sessions.length === 1 ? first : undefined;
  const cycles = sessions.every(({ sport }) => COUNTS_STRIDES.has(sport)) ? sum('cycles') : undefined;
  const descent = sum('descentMeters');
  const indoor = only && isIndoor(only.subSport);
  return {
    durationSeconds: sum('timerSeconds'),
    distanceMeters: sum('distanceMeters') ?? (damage === undefined ? lastDistance(readings) : undefined),
    totalCaloriesKcal: sum('totalKcal'),
    stepsCount: cycles === undefined ? undefined : cycles * stepsPerCycle,
    averageSpeed: only?.averageSpeed,
    maxSpeed: greatest(sessions, 'maxSpeed'),
    averageWatts: only?.averagePower,
    maxWatts: greatest(sessions, 'maxPower'),
    averageCadence: only?.averageCadence,
    ...(indoor && { indoor }),
    ...(sessions.length > 1 && { activities: sessions.flatMap(activityOf) }),
    ...(descent !== undefined && { metadata: { total_descent_meters: descent } }),
  };
}

function activityOf({ sport, subSport, startMs, elapsedSeconds, timerSeconds, distanceMeters }: FitSession) {
  if (startMs === undefined) return [];
  return [
    {
      type: fitType(sport, subSport),
      startMs,
      ...(elapsedSeconds !== undefined && { endMs: startMs + Math.round(elapsedSeconds * MS_PER_SECOND) }),
      ...(timerSeconds !== undefined && { durationSeconds: timerSeconds }),
      ...(distanceMeters !== undefined && { distanceMeters }),
    },
  ];
}

/** Returns the sum; undefined if a value is missing. */
function sumOf(values: readonly (number | undefined)[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((a, b) => (a === undefined || b === undefined ? undefined : a + b), 0);
}

function greatest(sessions: readonly FitSession[], name: keyof FitSession): number | undefined {
  const values = sessions.flatMap((session) => session[name] ?? []);
  return values.length === 0 ? undefined : Math.max(...values);
}

function lastDistance(readings: ReadonlyMap<number, FitReading>): number | undefined {
  let last: number | undefined;
  for (const { distance } of readings.values()) if (distance !== undefined) last = Math.max(last ?? 0, distance);
  return last;
}

/** Returns the product's name. Without one, returns the manufacturer and its code of the product. */
function deviceName({ manufacturer = -1, product, productName }: FitDevice): string | undefined {
  const maker = MANUFACTURERS[manufacturer];
  if (productName !== undefined) {
    const isNamed = maker === undefined || productName.toLowerCase().includes(maker.toLowerCase());
    return isNamed ? productName : `${maker} ${productName}`;
  }
  return maker === undefined || product === undefined ? maker : `${maker} ${product}`;
}
