import {
  MS_PER_SECOND,
  readingsIdOf,
  type SampleRecord,
  type SeriesCode,
  seriesTypeByCode,
  seriesTypeIds,
  type WorkoutRecord,
} from '@healthd/model';
import { z } from 'zod';
import {
  type ProviderConfiguration,
  type Tally,
  type TimeRange,
  type VendorApi,
  VendorError,
} from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject, readPayload } from '../../payload/index.js';
import { cadenceFactor, positionOf, requireAtMost } from '../../rest/index.js';
import { Turns } from '../../turns.js';
import { activityPath } from './source.js';

/** Setting that enables streams. */
export const READ_STREAMS = 'READ_STREAMS';

/** Readings are checked individually, so that one invalid reading does not affect others. */
const STREAM = z.object({ data: z.array(z.unknown()) });
/** Streams of an activity, by type. All have as many readings as `time`. */
const STREAMS = z.object({
  /** Seconds since the start. */
  time: STREAM,
  heartrate: STREAM,
  /** Meters per second. */
  velocity_smooth: STREAM,
  /** Revolutions per minute; on foot, the steps of one leg. */
  cadence: STREAM,
  watts: STREAM,
  /** Meters. */
  altitude: STREAM,
  /** Degrees Celsius. */
  temp: STREAM,
  /** Pairs of latitude and longitude in degrees. A pair is an empty list if its position is unknown. */
  latlng: STREAM,
});

/** The series of each stream. A reading of `latlng` has a value for each of its two series. */
const SERIES_OF_STREAMS: readonly { stream: Exclude<keyof typeof STREAMS.shape, 'time'>; codes: SeriesCode[] }[] = [
  { stream: 'heartrate', codes: ['heart_rate'] },
  { stream: 'velocity_smooth', codes: ['speed'] },
  { stream: 'cadence', codes: ['cadence'] },
  { stream: 'watts', codes: ['power'] },
  { stream: 'altitude', codes: ['elevation'] },
  { stream: 'temp', codes: ['air_temperature'] },
  { stream: 'latlng', codes: ['latitude', 'longitude'] },
];
const KEYS = Object.keys(STREAMS.shape).join(',');

/** Series of streams. */
export const STREAM_SERIES: readonly SeriesCode[] = SERIES_OF_STREAMS.flatMap(({ codes }) => codes);
export const STREAM_TYPE_IDS = seriesTypeIds(STREAM_SERIES);

/** Maximum number of readings: more than 55 hours of an activity with a reading every second. */
export const MAX_READINGS = 200_000;
/** Number of readings that become samples in a few milliseconds. */
const READINGS_AT_ONCE = 4_096;

/** True if the operator enabled streams. */
export function readsStreams({ values }: ProviderConfiguration): boolean {
  return values[READ_STREAMS]?.toLowerCase() === 'true';
}

/**
 * Reads an activity's readings within the window. Counts unreadable readings under their stream's name.
 * @throws VendorError, `invalid_answer` if a stream has more than {@link MAX_READINGS} readings
 */
export async function readStreams(
  api: VendorApi,
  workout: WorkoutRecord,
  window: TimeRange,
  tally: Tally,
): Promise<SampleRecord[]> {
  const { externalId = '', source, startMs, offsetMinutes, type } = workout;
  const streams = readPayload(STREAMS, await fetchStreams(api, externalId), (field) => tally.fault(`streams.${field}`));
  const times = streams.time?.data ?? [];
  for (const stream of Object.values(streams)) requireAtMost(MAX_READINGS, stream?.data?.length ?? 0);
  const samples: SampleRecord[] = [];
  const turns = new Turns();
  for (const { stream, codes } of SERIES_OF_STREAMS) {
    const factor = stream === 'cadence' ? cadenceFactor(type) : 1;
    if (factor === undefined) continue;
    const typeIds = codes.map((code) => seriesTypeByCode(code).id);
    for (const [n, reading] of (streams[stream]?.data ?? []).entries()) {
      if (n % READINGS_AT_ONCE === 0) await turns.yieldIfLong();
      if (isEmpty(reading)) continue;
      const seconds = numberOf(times[n]);
      const values = codes.length === 1 ? [numberOf(reading)] : positionOfPair(reading);
      const atMs = startMs + (seconds ?? Number.NaN) * MS_PER_SECOND;
      for (const [at, typeId] of typeIds.entries()) {
        const value = values?.[at];
        if (seconds === undefined || value === undefined) {
          tally.fault(`streams.${stream}`);
          break;
        }
        if (atMs < window.startMs || atMs >= window.endMs) break;
        samples.push({
          kind: 'sample',
          sampleKind: 'sample',
          externalId: readingsIdOf('strava', workout),
          source,
          typeId,
          startMs: atMs,
          ...(offsetMinutes !== undefined && { offsetMinutes }),
          value: value * factor,
        });
      }
    }
  }
  return samples;
}

async function fetchStreams(api: VendorApi, id: string): Promise<PayloadObject> {
  try {
    // Without both parameters the vendor sends only the distance, in another format.
    const response = await api.call({
      path: `${activityPath(id)}/streams`,
      query: { keys: KEYS, key_by_type: 'true' },
    });
    if (!isObject(response)) throw new VendorError({ code: 'invalid_answer', reason: 'streams' });
    return response;
  } catch (error) {
    // A manually entered activity, for example, has no streams.
    if (error instanceof VendorError && error.code === 'not_found') return {};
    throw error;
  }
}

/** True for a second without a reading. The vendor writes an empty list for a missing position. */
function isEmpty(reading: unknown): boolean {
  return reading === null || (Array.isArray(reading) && reading.length === 0);
}

function positionOfPair(pair: unknown): readonly number[] | undefined {
  return Array.isArray(pair) ? positionOf(pair[0], pair[1]) : undefined;
}
