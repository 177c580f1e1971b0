import {
  brokenBound,
  converter,
  type HealthRecord,
  type RejectionCode,
  type SampleRecord,
  type SeriesCode,
  seriesTypeByCode,
  type WorkoutEvent,
  type WorkoutRecord,
} from '@healthd/model';
import { isObject, numberOf, type PayloadObject, parseInstant, textOf } from '../payload/index.js';

/** Source and offset of a workout's parts, and their id. */
type Placed = Pick<WorkoutRecord, 'source' | 'offsetMinutes'> & { id: string };
/** Called for an unusable part. The workout and its other parts are still stored. */
export type PartFault = (field: string, code: RejectionCode, detail?: string) => void;

/** Returns segments and laps as events of the workout. */
export function workoutEvents(item: PayloadObject, fault: PartFault): WorkoutEvent[] {
  const events: WorkoutEvent[] = [];
  for (const [list, type] of [
    ['segments', 'segment'],
    ['laps', 'lap'],
  ] as const) {
    eachOf(item, list, fault, (part, at) => {
      const start = parseInstant(part.startDate);
      const end = parseInstant(part.endDate);
      if (start === undefined || !isStorable(start.ms)) return fault(`${at}.startDate`, 'invalid_date');
      const repetitions = numberOf(part.repetitions);
      events.push({
        type,
        startMs: start.ms,
        durationSeconds: end && end.ms >= start.ms ? (end.ms - start.ms) / 1000 : undefined,
        label: textOf(part.type),
        repetitions: repetitions !== undefined && repetitions > 0 ? Math.trunc(repetitions) : undefined,
        distanceMeters: numberOf(part.distanceM),
      });
    });
  }
  return events.sort((a, b) => a.startMs - b.startMs);
}

/** Coordinates and altitude of a route, one series each. */
const ROUTE: readonly (readonly [member: string, series: SeriesCode, limit: number])[] = [
  ['latitude', 'latitude', 90],
  ['longitude', 'longitude', 180],
  ['altitudeM', 'elevation', 100_000],
];
const SAMPLES: Readonly<Record<string, readonly [series: SeriesCode, unit: string]>> = {
  heartRate: ['heart_rate', 'bpm'],
  cadence: ['cadence', 'rpm'],
  speed: ['speed', 'm/s'],
  power: ['power', 'W'],
};

/** Supported samples within a workout. */
export const WORKOUT_SAMPLE_NAMES: readonly string[] = Object.keys(SAMPLES);

/** Series from routes and samples of workouts; coverage lists them. */
export const WORKOUT_PART_SERIES: readonly SeriesCode[] = [
  ...ROUTE.map(([, code]) => code),
  ...Object.values(SAMPLES).map(([code]) => code),
];

/** Returns route points and samples of a workout as samples of its source. */
export function workoutSamples(item: PayloadObject, placed: Placed, fault: PartFault): HealthRecord[] {
  const samples: HealthRecord[] = [];
  const add = (code: SeriesCode, startMs: number, value: number) =>
    void samples.push(sampleAt(placed, seriesTypeByCode(code).id, startMs, value));
  eachOf(item, 'route', fault, (point, at) => {
    const time = parseInstant(point.timestamp);
    if (time === undefined || !isStorable(time.ms)) return fault(`${at}.timestamp`, 'invalid_date');
    for (const [member, code, limit] of ROUTE) {
      const value = numberOf(point[member]);
      if (value !== undefined && Math.abs(value) <= limit) add(code, time.ms, value);
      else if (value !== undefined || member !== 'altitudeM') fault(`${at}.${member}`, 'invalid_value');
    }
  });
  eachOf(item, 'samples', fault, (sample, at) => {
    const time = parseInstant(sample.timestamp);
    if (time === undefined || !isStorable(time.ms)) return fault(`${at}.timestamp`, 'invalid_date');
    const type = textOf(sample.type) ?? '';
    const known = Object.hasOwn(SAMPLES, type) ? SAMPLES[type] : undefined;
    if (known === undefined) return fault(`${at}.type`, 'unknown_type');
    const value = numberOf(sample.value);
    if (value === undefined) return fault(`${at}.value`, 'invalid_value');
    const series = seriesTypeByCode(known[0]);
    const stored = converter(textOf(sample.unit) ?? known[1], series.unit)?.(value);
    if (stored === undefined) return fault(`${at}.unit`, 'unknown_unit');
    const bound = brokenBound(series.id, stored);
    if (bound !== undefined) return fault(`${at}.value`, 'implausible', bound);
    add(known[0], time.ms, stored);
  });
  return samples;
}

function sampleAt({ source, offsetMinutes, id }: Placed, typeId: number, startMs: number, value: number): SampleRecord {
  return { kind: 'sample', sampleKind: 'sample', externalId: id, source, typeId, startMs, offsetMinutes, value };
}

function eachOf(
  item: PayloadObject,
  list: string,
  fault: PartFault,
  read: (part: PayloadObject, at: string) => void,
): void {
  const parts = item[list];
  if (parts === undefined || parts === null) return;
  if (!Array.isArray(parts)) {
    fault(list, 'not_an_array');
    return;
  }
  for (const [index, part] of parts.entries()) {
    const at = `${list}[${index}]`;
    if (isObject(part)) read(part, at);
    else fault(at, 'not_an_object');
  }
}

const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

function isStorable(ms: number): boolean {
  return ms >= EARLIEST_MS && ms <= LATEST_MS;
}
