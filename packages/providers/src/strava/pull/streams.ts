import {
  MS_PER_SECOND,
  readingsIdOf,
  type SampleRecord,
  type SeriesCode,
  seriesTypeByCode,
  seriesTypeIds,
  type WorkoutRecord,
} from '@healthd/model';
import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { cadenceFactor, positionOf } from '../../rest/index.js';
import { activityPath } from './read-activities.js';

/** The vendor's streams and the series that they are; a reading of `latlng` is a pair. */
const STREAMS: readonly { stream: string; code: SeriesCode; at?: number }[] = [
  { stream: 'heartrate', code: 'heart_rate' },
  { stream: 'velocity_smooth', code: 'speed' },
  { stream: 'cadence', code: 'cadence' },
  { stream: 'watts', code: 'power' },
  { stream: 'altitude', code: 'elevation' },
  { stream: 'temp', code: 'air_temperature' },
  { stream: 'latlng', code: 'latitude', at: 0 },
  { stream: 'latlng', code: 'longitude', at: 1 },
];
const KEYS = [...new Set(['time', ...STREAMS.map(({ stream }) => stream)])].join(',');

/** Series that streams lead to. */
export const STREAM_SERIES: ReadonlySet<SeriesCode> = new Set(STREAMS.map(({ code }) => code));
export const STREAM_TYPE_IDS = seriesTypeIds(STREAM_SERIES);

/**
 * The readings of an activity that lie in the window.
 * @throws VendorError
 */
export async function readStreams(api: VendorApi, workout: WorkoutRecord, window: TimeRange): Promise<SampleRecord[]> {
  const { externalId = '', source, startMs, offsetMinutes, type } = workout;
  const streams = await ask(api, externalId);
  const times = dataOf(streams, 'time');
  const samples: SampleRecord[] = [];
  for (const { stream, code, at } of STREAMS) {
    const typeId = seriesTypeByCode(code).id;
    const factor = code === 'cadence' ? cadenceFactor(type) : 1;
    if (factor === undefined) continue;
    for (const [n, reading] of dataOf(streams, stream).entries()) {
      const seconds = numberOf(times[n]);
      const value = at === undefined ? numberOf(reading) : coordinateOf(reading, at);
      if (seconds === undefined || value === undefined) continue;
      const atMs = startMs + seconds * MS_PER_SECOND;
      if (atMs < window.startMs || atMs >= window.endMs) continue;
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
  return samples;
}

async function ask(api: VendorApi, id: string): Promise<PayloadObject> {
  try {
    // Without both parameters only the distance comes, in another form.
    const answer = await api.call({ path: `${activityPath(id)}/streams`, query: { keys: KEYS, key_by_type: 'true' } });
    if (!isObject(answer)) throw new VendorError({ code: 'invalid_answer', reason: 'streams' });
    return answer;
  } catch (error) {
    // Entered by hand, for instance.
    if (error instanceof VendorError && error.code === 'not_found') return {};
    throw error;
  }
}

/** The vendor writes an empty list where there is no place. */
function coordinateOf(place: unknown, at: number): number | undefined {
  return Array.isArray(place) ? positionOf(place[0], place[1])?.[at] : undefined;
}

function dataOf(streams: PayloadObject, name: string): readonly unknown[] {
  const stream = streams[name];
  return isObject(stream) && Array.isArray(stream.data) ? stream.data : [];
}
