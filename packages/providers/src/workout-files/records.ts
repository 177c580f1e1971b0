import {
  brokenLength,
  deviceType,
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_SECOND,
  type ReplacementRecord,
  readingsIdOf,
  type SampleRecord,
  type SeriesCode,
  type SourceIdentity,
  seriesTypeByCode,
  seriesTypeIds,
  WORKOUT_LENGTH,
  type WorkoutEvent,
  type WorkoutRecord,
} from '@healthd/model';
import type { FitReading } from '../fit/index.js';
import { intervalProblem } from '../interval.js';
import type { DocumentFault } from './document-fault.js';
import type { FileWorkout } from './file-workout.js';

const PROVIDER = 'workout_files';
const WRITER = 'workout_file';

/**
 * Measurements of a reading, with their series. Steps and distances are missing, because a file's share of them would
 * count again in the totals of its day.
 */
const SERIES = {
  heartRate: 'heart_rate',
  speed: 'speed',
  cadence: 'cadence',
  power: 'power',
  temperature: 'air_temperature',
  elevation: 'elevation',
  latitude: 'latitude',
  longitude: 'longitude',
} as const satisfies Partial<Record<keyof FitReading, SeriesCode>>;

/** Series of workout files. */
export const READING_SERIES: readonly SeriesCode[] = Object.values(SERIES);
const READING_TYPE_IDS = seriesTypeIds(READING_SERIES);
const MEMBERS = Object.entries(SERIES).map(([member, code]) => ({
  member: member as keyof typeof SERIES,
  code,
  typeId: seriesTypeByCode(code).id,
}));

const MAX_TEXT = 100;
/** Maximum number of laps and pauses, as in FIT files. */
const MAX_SPANS = 2_000;
/** Time after a workout's end in which readings still count, because some devices record on. */
const REACH_MS = MS_PER_DAY;

/** Manufacturers whose devices are watches, unless their name says otherwise. */
const WATCHMAKERS = /^(Garmin|Suunto|Polar|COROS)\b/i;
const BIKE_COMPUTER = /\b(Edge|ELEMNT|Karoo|Rider)\b/i;

/** Records of a workout in groups. */
interface WorkoutRecords {
  /** Builds each group only when it is requested, because all samples of a long workout would fill the memory. */
  groups: Iterable<HealthRecord[]>;
  /** Number of readings outside of the workout, which are dropped. */
  elsewhere: number;
}

/**
 * Returns a workout and its readings in groups. Store each group in one batch: its readings replace the stored readings
 * in its window, so that a corrected file leaves no readings of the earlier file. Call {@link workoutFault} first.
 * @param maxSamples maximum number of samples in a group
 */
export function recordsOf(workout: FileWorkout, maxSamples: number): WorkoutRecords {
  // A device whose clock was not set yet records its first readings decades earlier.
  const fromMs = Math.floor(workout.startMs / MS_PER_SECOND) * MS_PER_SECOND;
  const isInside = ([atMs]: readonly [number, FitReading]) => atMs >= fromMs && atMs < workout.endMs + REACH_MS;
  const readings = [...workout.readings].filter(isInside).sort(([a], [b]) => a - b);
  return {
    groups: groupsOf(workout, readings, Math.max(1, Math.floor(maxSamples / MEMBERS.length))),
    elsewhere: workout.readings.size - readings.length,
  };
}

/** @param window maximum number of readings in a group */
function* groupsOf(
  workout: FileWorkout,
  readings: readonly (readonly [number, FitReading])[],
  window: number,
): Generator<HealthRecord[]> {
  const source = sourceOf(workout);
  const factor = workout.cadenceFactor;
  const record = recordOf(workout, source);
  const id = readingsIdOf(PROVIDER, record);
  for (let from = 0; from === 0 || from < readings.length; from += window) {
    const next = readings[from + window];
    const replacement: ReplacementRecord = {
      kind: 'replacement',
      provider: PROVIDER,
      writer: source.writer ?? WRITER,
      of: 'samples',
      startMs: from === 0 ? workout.startMs - REACH_MS : (readings[from]?.[0] ?? workout.startMs),
      endMs: next ? next[0] : workout.endMs + REACH_MS,
      typeIds: READING_TYPE_IDS,
      externalIds: [id],
    };
    const samples = readings
      .slice(from, from + window)
      .flatMap(([startMs, reading]) => samplesOf(record, reading, { startMs, id, factor }));
    // A damaged file may lack readings that an earlier, whole file contained.
    yield [
      ...(from === 0 ? versionsOf(record, workout) : []),
      ...(workout.isIncomplete ? [] : [replacement]),
      ...samples,
    ];
  }
}

/** Returns why a workout cannot be stored: impossible times, or too many laps and pauses. Undefined if it can. */
export function workoutFault({ startMs, endMs, laps, pauses }: FileWorkout): DocumentFault | undefined {
  const isPossible = intervalProblem(startMs, endMs) === undefined && startMs < endMs;
  if (!isPossible || brokenLength({ startMs, endMs }, WORKOUT_LENGTH) !== undefined) return 'interval_invalid';
  return laps.length + pauses.length > MAX_SPANS ? 'too_long' : undefined;
}

/** Returns the workout. An incomplete file creates a workout or fills its missing values, and never changes a value. */
function versionsOf(record: WorkoutRecord, { isIncomplete }: FileWorkout): WorkoutRecord[] {
  if (!isIncomplete) return [record];
  return [
    { ...record, isCreation: true },
    { ...record, isCompletion: true },
  ];
}

function recordOf(workout: FileWorkout, source: SourceIdentity): WorkoutRecord {
  const { format, type, name, startMs, endMs, offsetMinutes, figures, cadenceFactor: factor } = workout;
  const seconds = figures.durationSeconds ?? (endMs - startMs) / MS_PER_SECOND;
  const { averageCadence, distanceMeters } = figures;
  const events = eventsOf(workout);
  return {
    ...figures,
    kind: 'workout',
    source,
    // Two workouts of one device cannot start at the same time. The id lets a corrected file replace the workout.
    externalId: new Date(startMs).toISOString(),
    type,
    ...(name !== undefined && { name: name.slice(0, MAX_TEXT) }),
    startMs,
    endMs,
    ...(offsetMinutes !== undefined && { offsetMinutes }),
    durationSeconds: seconds,
    movingSeconds: figures.durationSeconds,
    averageSpeed:
      figures.averageSpeed ?? (distanceMeters !== undefined && seconds > 0 ? distanceMeters / seconds : undefined),
    averageCadence: averageCadence === undefined || factor === undefined ? undefined : averageCadence * factor,
    ...(events.length > 0 && { events }),
    metadata: { ...figures.metadata, provenance: 'archive', file_format: format },
  };
}

/** Returns the source of a file. Files of another format are another source, so that lists join their workouts. */
function sourceOf({ format, device, application }: FileWorkout): SourceIdentity {
  const model = device?.slice(0, MAX_TEXT);
  const app = application?.slice(0, MAX_TEXT);
  return {
    provider: PROVIDER,
    writer: [WRITER, format, ...(app === undefined ? [] : [app])].join('/'),
    ...(model !== undefined && { deviceModel: model }),
    deviceType: typeOf(model, app),
    ...(app !== undefined && { originalSourceName: app }),
  };
}

function typeOf(model: string | undefined, app: string | undefined): SourceIdentity['deviceType'] {
  if (model === undefined) return deviceType({ sourceName: app });
  if (BIKE_COMPUTER.test(model)) return 'other';
  const known = deviceType({ model });
  return known === 'other' && WATCHMAKERS.test(model) ? 'watch' : known;
}

/** A file's only lap is the whole workout and is dropped. */
function eventsOf({ laps, pauses }: FileWorkout): WorkoutEvent[] {
  const all = [
    ...(laps.length > 1 ? laps : []).map((lap): WorkoutEvent => ({ type: 'lap', ...lap })),
    ...pauses.map((pause): WorkoutEvent => ({ type: 'pause', ...pause })),
  ];
  return all.sort((a, b) => a.startMs - b.startMs);
}

function samplesOf(
  { source, offsetMinutes }: WorkoutRecord,
  reading: FitReading,
  { startMs, id, factor }: { startMs: number; id: string; factor: number | undefined },
): SampleRecord[] {
  return MEMBERS.flatMap(({ member, code, typeId }): SampleRecord[] => {
    const value = reading[member];
    const scale = code === 'cadence' ? factor : 1;
    if (value === undefined || scale === undefined) return [];
    const place = { startMs, offsetMinutes, externalId: id };
    return [{ kind: 'sample', sampleKind: 'sample', source, typeId, ...place, value: value * scale }];
  });
}
