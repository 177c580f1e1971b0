import {
  dayStartMs,
  deviceType,
  MS_PER_HOUR,
  POLAR_PROFILE_WRITER,
  type ReplacementRecord,
  type SampleKind,
  type SampleRecord,
  type SeriesCode,
  type SourceIdentity,
  seriesTypeByCode,
  seriesTypeIds,
} from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';
import { textOf } from '../../payload/index.js';

const WRITER = 'polar_api';
/** No clock is further from UTC. */
const WIDEST_MS = 18 * MS_PER_HOUR;

/** The source of nights and days: the vendor joins what the devices of a person measured. */
export const POLAR_SOURCE: SourceIdentity = { provider: 'polar', writer: WRITER, deviceType: 'watch' };

/** The source of what a person's profile says without a time. */
export const PROFILE_SOURCE: SourceIdentity = { provider: 'polar', writer: POLAR_PROFILE_WRITER };

/** Returns the source of an exercise. @param device the vendor's name of the device that recorded it, if it names one */
export function sourceOf(device: unknown): SourceIdentity {
  const model = textOf(device);
  if (model === undefined) return POLAR_SOURCE;
  return { ...POLAR_SOURCE, deviceModel: model, deviceType: deviceType({ model, provider: 'polar' }) };
}

/** What every replacement of a window has. */
function replacedWindow({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'polar', writer: WRITER, startMs, endMs } as const;
}

/** Instants of a day on any clock. */
export function aroundDay(day: number): TimeRange {
  return { startMs: dayStartMs(day) - WIDEST_MS, endMs: dayStartMs(day + 1) + WIDEST_MS };
}

/** The id of what was measured in the night of a date. */
export const nightId = (date: string) => `sleep/${date}`;

/** The id of what was measured continuously on a date. */
export const continuousId = (date: string) => `continuous-heart-rate/${date}`;

/**
 * Samples with the ids of items: the answer has all of these items. What the vendor does not mention is left alone, because it
 * gives nothing of the time before the person was registered.
 */
export function replacedSamples(
  externalId: string | readonly string[],
  codes: readonly SeriesCode[],
  range: TimeRange,
): ReplacementRecord {
  const externalIds = typeof externalId === 'string' ? [externalId] : externalId;
  return { ...replacedWindow(range), of: 'samples', typeIds: seriesTypeIds(codes), externalIds };
}

/** The totals of one local day. */
export function replacedTotals(day: number, codes: readonly SeriesCode[]): ReplacementRecord {
  const localDays = { firstDay: day, endDay: day + 1 };
  const sampleKinds: SampleKind[] = ['daily_total'];
  return { ...replacedWindow(aroundDay(day)), of: 'samples', typeIds: seriesTypeIds(codes), sampleKinds, localDays };
}

/** The score of this id. */
export function replacedScore(idPrefix: string, range: TimeRange): ReplacementRecord {
  return { ...replacedWindow(range), of: 'health_scores', idPrefix };
}

/** Where a value stands. */
export interface SamplePlace {
  startMs: number;
  offsetMinutes?: number | undefined;
  durationMs?: number;
  externalId?: string;
}

export function sampleOf(series: SeriesCode, sampleKind: SampleKind, place: SamplePlace, value: number): SampleRecord {
  return { kind: 'sample', source: POLAR_SOURCE, typeId: seriesTypeByCode(series).id, sampleKind, ...place, value };
}
