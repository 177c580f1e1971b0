import {
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_SECOND,
  readingsId,
  type SampleRecord,
  type SeriesCode,
} from '@healthd/model';
import { type Tally, type VendorApi, VendorError, type VendorErrorCode } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { countUnreadable, type PlacedRecord, positionOf } from '../../rest/index.js';
import { exercisePath } from './exercise-path.js';
import { ISO_DURATION, secondsOfDuration } from './iso-duration.js';
import { replacedSamples, sampleOf, sourceOf } from './source.js';
import { memberOf } from './values.js';

/** The setting that has the readings of exercises read. */
export const READ_SAMPLES = 'READ_SAMPLES';

const KMH_PER_MS = 3.6;
/** The vendor's code of heights, in m. */
const ALTITUDE = '3';
const same = (value: number) => value;
/** The vendor's codes of readings and the series that they are. Cadences are of pedals and of steps. */
const SERIES: Readonly<Record<string, { series: SeriesCode; convert: (value: number) => number }>> = {
  '0': { series: 'heart_rate', convert: same },
  '1': { series: 'speed', convert: (kmh) => kmh / KMH_PER_MS },
  '2': { series: 'cadence', convert: same },
  [ALTITUDE]: { series: 'elevation', convert: same },
  '4': { series: 'power', convert: same },
  '8': { series: 'cadence', convert: same },
};

const GAPS: ReadonlySet<string> = new Set(['', 'null']);
const SAMPLE_MEMBERS = { recording_rate: 'number', data: 'text' } as const;
const POINT_MEMBERS = { latitude: 'number', longitude: 'number', time: ISO_DURATION } as const;

/** Members of a point of the route and the series that they are. */
const POSITION = ['latitude', 'longitude'] as const satisfies readonly SeriesCode[];

/** Series that the readings of exercises lead to. */
export const EXERCISE_SERIES: readonly SeriesCode[] = [
  ...new Set<SeriesCode>([...Object.values(SERIES).map(({ series }) => series), ...POSITION]),
];

/** Failures that concern one exercise. All others concern the person, the deployment or the quota. */
const OF_ONE: readonly VendorErrorCode[] = ['not_found', 'invalid_request', 'invalid_answer', 'conflict'];

export function readsSamples(values: Readonly<Record<string, string | undefined>>): boolean {
  return values[READ_SAMPLES]?.toLowerCase() === 'true';
}

/** The lowest and the highest reading of heights, in m. */
export interface Heights {
  low: number;
  high: number;
}

/** An exercise with its readings. */
interface DetailedExercise {
  exercise: PayloadObject;
  heights: Heights | undefined;
}

/**
 * An exercise with its readings; undefined, and a rejection, where the vendor does not give them.
 * @throws VendorError where the vendor gives nothing of others either
 */
export async function readWithSamples(api: VendorApi, id: string, tally: Tally): Promise<DetailedExercise | undefined> {
  try {
    const exercise = await api.call({ path: exercisePath(id) ?? '', query: { samples: 'true', route: 'true' } });
    if (!isObject(exercise)) throw new VendorError({ code: 'invalid_answer', reason: 'exercise' });
    countFaults(exercise, tally);
    return { exercise, heights: heightsOf(exercise) };
  } catch (error) {
    if (!(error instanceof VendorError) || !OF_ONE.includes(error.code)) throw error;
    tally.reject(tally.received - 1, 'samples', 'not_given', error.message);
    return undefined;
  }
}

function countFaults(exercise: PayloadObject, tally: Tally): void {
  countUnreadable(exercise, { samples: 'list', route: 'list' }, tally.fault);
  for (const one of Array.isArray(exercise.samples) ? exercise.samples : []) {
    if (!isObject(one)) tally.fault('samples');
    else {
      countUnreadable(one, SAMPLE_MEMBERS, (name) => tally.fault(`samples.${name}`));
      if (hasUnreadableReading(one)) tally.fault('samples.data');
    }
  }
  for (const point of Array.isArray(exercise.route) ? exercise.route : []) {
    if (!isObject(point)) tally.fault('route');
    else countUnreadable(point, POINT_MEMBERS, (name) => tally.fault(`route.${name}`));
  }
}

function heightsOf(exercise: PayloadObject): Heights | undefined {
  const heights = readingsOf(exercise).find(({ code }) => code === ALTITUDE)?.values ?? [];
  const [first, ...others] = heights.map(({ value }) => value);
  if (first === undefined) return undefined;
  return others.reduce((range, value) => ({ low: Math.min(range.low, value), high: Math.max(range.high, value) }), {
    low: first,
    high: first,
  });
}

/** The readings and the route of one exercise, each at its second; those that are stored of it and do not come back are gone. */
export function exerciseSamples(
  placed: Pick<PlacedRecord, 'id' | 'startMs' | 'endMs' | 'offsetMinutes'>,
  exercise: PayloadObject,
): HealthRecord[] {
  const { id, startMs, endMs, offsetMinutes } = placed;
  const externalId = readingsId('polar', id);
  const source = sourceOf(exercise);
  const samples = readingsOf(exercise).flatMap(({ code, rateSeconds, values }): SampleRecord[] => {
    const known = SERIES[code];
    if (!known || rateSeconds === undefined) return [];
    const { series, convert } = known;
    return values.flatMap(({ n, value }) => {
      if (series === 'heart_rate' && value <= 0) return [];
      const atMs = Math.round(startMs + n * rateSeconds * MS_PER_SECOND);
      if (atMs >= endMs) return [];
      return [{ ...sampleOf(series, 'sample', { startMs: atMs, offsetMinutes, externalId }, convert(value)), source }];
    });
  });
  // A corrected start may have moved it.
  const range = { startMs: startMs - MS_PER_DAY, endMs: endMs + MS_PER_DAY };
  return [replacedSamples(externalId, EXERCISE_SERIES, range), ...samples, ...routeSamples(placed, exercise)];
}

/** Where the person was, by the time since the beginning. A point without both coordinates is none. */
function routeSamples(
  { id, startMs, endMs, offsetMinutes }: Pick<PlacedRecord, 'id' | 'startMs' | 'endMs' | 'offsetMinutes'>,
  exercise: PayloadObject,
): SampleRecord[] {
  const source = sourceOf(exercise);
  const points = Array.isArray(exercise.route) ? exercise.route.filter(isObject) : [];
  return points.flatMap((point): SampleRecord[] => {
    const atMs = Math.round(startMs + (secondsOfDuration(point.time) ?? Number.NaN) * MS_PER_SECOND);
    const position = positionOf(point.latitude, point.longitude);
    if (!(atMs < endMs) || !position) return [];
    const place = { startMs: atMs, offsetMinutes, externalId: readingsId('polar', id) };
    return POSITION.map((series, n) => ({ ...sampleOf(series, 'sample', place, position[n]!), source }));
  });
}

interface Readings {
  code: string;
  /** Undefined where the readings are at no equal distances. */
  rateSeconds: number | undefined;
  values: { n: number; value: number }[];
}

/** True if a series that is stored has a reading that is neither a number nor a gap. */
function hasUnreadableReading(one: PayloadObject): boolean {
  const { data } = one;
  if (typeof data !== 'string' || !SERIES[String(memberOf(one, 'sample_type'))]) return false;
  return data.split(',').some((text) => !GAPS.has(text.trim()) && numberOf(text) === undefined);
}

/** Numbers separated by commas; a sensor that had no contact leaves `null`. */
function readingsOf({ samples }: PayloadObject): Readings[] {
  return (Array.isArray(samples) ? samples.filter(isObject) : []).flatMap((one): Readings[] => {
    const { data } = one;
    if (typeof data !== 'string') return [];
    const rate = numberOf(memberOf(one, 'recording_rate'));
    return [
      {
        code: String(memberOf(one, 'sample_type')),
        rateSeconds: rate !== undefined && rate > 0 ? rate : undefined,
        values: data.split(',').flatMap((text, n) => {
          const value = numberOf(text);
          return value === undefined ? [] : [{ n, value }];
        }),
      },
    ];
  });
}
