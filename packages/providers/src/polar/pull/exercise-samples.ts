import {
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_SECOND,
  readingsId,
  type SampleRecord,
  type SeriesCode,
} from '@healthd/model';
import { z } from 'zod';
import { type PullMode, type Tally, type VendorApi, VendorError, type VendorErrorCode } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadOf, readPayload } from '../../payload/index.js';
import { type PlacedRecord, positionOf } from '../../rest/index.js';
import { exercisePath } from './requests.js';
import { replacedSamples, sampleOf, sourceOf } from './source.js';
import { DURATION, secondsOfDuration } from './values.js';

/** An exercise's samples and route. */
const DETAILS = z.object({
  device: z.unknown(),
  samples: z.array(z.unknown()),
  route: z.array(z.unknown()),
});
const SAMPLES = z.object({
  /** The vendor's code of the measured quantity, a number as text. */
  sample_type: z.unknown(),
  /** Seconds between two readings; missing if the intervals vary. */
  recording_rate: z.number(),
  /** Comma-separated numbers. `null` means that the sensor had no contact. */
  data: z.string(),
});
const POINT = z.object({
  latitude: z.number(),
  longitude: z.number(),
  /** Time since the start. */
  time: DURATION,
});
type Point = PayloadOf<typeof POINT>;

/** Name of the setting that enables exercise samples. */
export const READ_SAMPLES = 'READ_SAMPLES';

const KMH_PER_MS = 3.6;
/** The vendor's code for elevation, in m. */
const ALTITUDE = '3';
const same = (value: number) => value;
/** Series by vendor code. Cadence means pedal or step cadence. */
const SERIES: Readonly<Record<string, { series: SeriesCode; convert: (value: number) => number }>> = {
  '0': { series: 'heart_rate', convert: same },
  '1': { series: 'speed', convert: (kmh) => kmh / KMH_PER_MS },
  '2': { series: 'cadence', convert: same },
  [ALTITUDE]: { series: 'elevation', convert: same },
  '4': { series: 'power', convert: same },
  '8': { series: 'cadence', convert: same },
};

const GAPS: ReadonlySet<string> = new Set(['', 'null']);
/** Fields of a route point, named like their series. */
const POSITION = ['latitude', 'longitude'] as const satisfies readonly SeriesCode[];

/** Series read from exercise samples. */
export const EXERCISE_SERIES: readonly SeriesCode[] = [
  ...new Set<SeriesCode>([...Object.values(SERIES).map(({ series }) => series), ...POSITION]),
];

/** Errors that concern one exercise only. All other errors concern the user, the deployment or the quota. */
const OF_ONE: readonly VendorErrorCode[] = ['not_found', 'invalid_request', 'invalid_answer', 'conflict'];

/** True if the operator enabled exercise samples. */
export function readsSamples({ configuration }: PullMode): boolean {
  return configuration.values[READ_SAMPLES]?.toLowerCase() === 'true';
}

/** The lowest and the highest elevation, in meters. */
export interface Heights {
  low: number;
  high: number;
}

interface Readings {
  code: string;
  /** Undefined if the intervals between readings vary. */
  rateSeconds: number | undefined;
  values: { n: number; value: number }[];
}

/** Data of one exercise that the list omits. */
interface Details {
  device: unknown;
  readings: readonly Readings[];
  route: readonly Point[];
  heights: Heights | undefined;
}

/**
 * Requests an exercise's samples. Counts a rejection and returns undefined if the vendor rejects this exercise.
 * @throws VendorError if the error also concerns other exercises
 */
export async function readDetails(api: VendorApi, id: string, tally: Tally): Promise<Details | undefined> {
  try {
    const exercise = await api.call({ path: exercisePath(id) ?? '', query: { samples: 'true', route: 'true' } });
    if (!isObject(exercise)) throw new VendorError({ code: 'invalid_answer', reason: 'exercise' });
    const { device, samples = [], route = [] } = readPayload(DETAILS, exercise, tally.fault);
    const readings = samples.flatMap((one) => readingsOf(one, tally) ?? []);
    return { device, readings, route: route.flatMap((one) => pointOf(one, tally)), heights: heightsOf(readings) };
  } catch (error) {
    if (!(error instanceof VendorError) || !OF_ONE.includes(error.code)) throw error;
    tally.reject(tally.received - 1, 'samples', 'not_given', error.message);
    return undefined;
  }
}

function readingsOf(one: unknown, tally: Tally): Readings | undefined {
  if (!isObject(one)) return void tally.fault('samples');
  const samples = readPayload(SAMPLES, one, (name) => tally.fault(`samples.${name}`));
  const { data, recording_rate: rate } = samples;
  if (data === undefined) return undefined;
  const code = String(samples.sample_type);
  const texts = data.split(',');
  if (SERIES[code] && texts.some((text) => !GAPS.has(text.trim()) && numberOf(text) === undefined)) {
    tally.fault('samples.data');
  }
  return {
    code,
    rateSeconds: rate !== undefined && rate > 0 ? rate : undefined,
    values: texts.flatMap((text, n) => {
      const value = numberOf(text);
      return value === undefined ? [] : [{ n, value }];
    }),
  };
}

function pointOf(one: unknown, tally: Tally): Point[] {
  if (isObject(one)) return [readPayload(POINT, one, (name) => tally.fault(`route.${name}`))];
  tally.fault('route');
  return [];
}

function heightsOf(readings: readonly Readings[]): Heights | undefined {
  const heights = readings.find(({ code }) => code === ALTITUDE)?.values ?? [];
  const [first, ...others] = heights.map(({ value }) => value);
  if (first === undefined) return undefined;
  return others.reduce((range, value) => ({ low: Math.min(range.low, value), high: Math.max(range.high, value) }), {
    low: first,
    high: first,
  });
}

type Place = Pick<PlacedRecord, 'id' | 'startMs' | 'endMs' | 'offsetMinutes'>;

/**
 * Returns an exercise's samples and route, each reading at its second. Deletes stored samples that the response does
 * not contain.
 */
export function exerciseSamples(placed: Place, { device, readings, route }: Details): HealthRecord[] {
  const { id, startMs, endMs, offsetMinutes } = placed;
  const externalId = readingsId('polar', id);
  const source = sourceOf(device);
  const samples = readings.flatMap(({ code, rateSeconds, values }): SampleRecord[] => {
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
  // A corrected start time may have moved the samples.
  const range = { startMs: startMs - MS_PER_DAY, endMs: endMs + MS_PER_DAY };
  const positions = route.flatMap((point): SampleRecord[] => {
    const atMs = Math.round(startMs + (secondsOfDuration(point.time) ?? Number.NaN) * MS_PER_SECOND);
    const position = positionOf(point.latitude, point.longitude);
    if (!(atMs < endMs) || !position) return [];
    const place = { startMs: atMs, offsetMinutes, externalId };
    return POSITION.map((series, n) => ({ ...sampleOf(series, 'sample', place, position[n]!), source }));
  });
  return [replacedSamples(externalId, EXERCISE_SERIES, range), ...samples, ...positions];
}
