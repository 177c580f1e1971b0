import {
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_SECOND,
  readingsIdOf,
  type SampleRecord,
  type SeriesCode,
  seriesTypeIds,
  type WorkoutEvent,
  type WorkoutRecord,
} from '@healthd/model';
import { completeFromFile, type FitActivity, type FitReading } from '../../fit/index.js';
import { cadenceFactor } from '../../rest/index.js';
import { Turns } from '../../turns.js';
import { typeIdOf } from './series.js';
import { replacedWindow } from './source.js';

/** Measurements of a file's seconds, with their series. */
const SERIES = {
  heartRate: 'heart_rate',
  speed: 'speed',
  cadence: 'cadence',
  power: 'power',
  elevation: 'elevation',
  latitude: 'latitude',
  longitude: 'longitude',
} as const satisfies Partial<Record<keyof FitReading, SeriesCode>>;

/** Series of workout files. */
export const READING_SERIES: readonly SeriesCode[] = Object.values(SERIES);

const MEMBERS = Object.entries(SERIES).map(([member, code]) => ({
  member: member as keyof typeof SERIES,
  code,
  typeId: typeIdOf(code),
}));
/** Time after a workout's end in which readings still count, because a new workout may have no final end yet. */
const REACH_MS = MS_PER_DAY;
/** Number of seconds whose samples take a few milliseconds to build. */
const SECONDS_A_TURN = 1_000;

/** A workout completed by its file. */
export interface MeasuredWorkout {
  records: HealthRecord[];
  /** Number of seconds and laps of the file that are outside of the workout and dropped. */
  elsewhere: number;
}

/**
 * Adds a file to a workout: figures that the summary lacks, laps, pauses and readings. The readings replace the stored
 * readings, unless the file is damaged. A file from a different time does not change the workout.
 */
export async function withReadings(workout: WorkoutRecord, activity: FitActivity): Promise<MeasuredWorkout> {
  const { startMs, endMs } = workout;
  // The file has whole seconds, so readings of the second in which the workout started get the workout's start time.
  const fromMs = Math.floor(startMs / MS_PER_SECOND) * MS_PER_SECOND;
  const isInside = (atMs: number) => atMs >= fromMs && atMs < endMs + REACH_MS;
  const inside = [...activity.readings].filter(([atMs]) => isInside(atMs));
  const laps = activity.laps.filter((lap) => isInside(lap.startMs));
  const elsewhere = activity.readings.size - inside.length + activity.laps.length - laps.length;
  if (inside.length === 0 && laps.length === 0 && elsewhere > 0) return { records: [workout], elsewhere };
  const events = eventsOf(
    activity.laps.length > 1 ? laps : [],
    activity.pauses.filter((pause) => isInside(pause.startMs)),
  );
  const replaced: HealthRecord = {
    ...replacedWindow({ startMs: startMs - REACH_MS, endMs: endMs + REACH_MS }),
    of: 'samples',
    typeIds: seriesTypeIds(READING_SERIES),
    externalIds: [readingsIdOf('suunto', workout)],
  };
  const samples: SampleRecord[] = [];
  const turns = new Turns();
  for (const [at, [atMs, reading]] of inside.entries()) {
    if (at % SECONDS_A_TURN === 0) await turns.yieldIfLong();
    for (const sample of samplesOf(workout, Math.max(atMs, startMs), reading)) samples.push(sample);
  }
  const completed = completeFromFile(
    workout,
    activity,
    inside.map(([, reading]) => reading),
  );
  const isWhole = activity.damage === undefined;
  return { records: [{ ...completed, events }, ...(isWhole ? [replaced] : []), ...samples], elsewhere };
}

/** A file's only lap is the whole workout and is dropped. */
function eventsOf(laps: FitActivity['laps'], pauses: FitActivity['pauses']): WorkoutEvent[] {
  const all = [
    ...laps.map((lap): WorkoutEvent => ({ type: 'lap', ...lap })),
    ...pauses.map((pause): WorkoutEvent => ({ type: 'pause', ...pause })),
  ];
  return all.sort((a, b) => a.startMs - b.startMs);
}

function samplesOf(workout: WorkoutRecord, startMs: number, reading: FitReading): SampleRecord[] {
  const { source, type, offsetMinutes } = workout;
  return MEMBERS.flatMap(({ member, code, typeId }): SampleRecord[] => {
    const value = reading[member];
    if (value === undefined) return [];
    const factor = code === 'cadence' ? cadenceFactor(type) : 1;
    if (factor === undefined) return [];
    const place = { startMs, offsetMinutes, externalId: readingsIdOf('suunto', workout) };
    return [{ kind: 'sample', sampleKind: 'sample', source, typeId, ...place, value: value * factor }];
  });
}
