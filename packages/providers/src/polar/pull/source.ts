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
/** Maximum distance of a clock from UTC. */
const WIDEST_MS = 18 * MS_PER_HOUR;

/** Source of nights and days. The vendor merges the data of all of the user's devices. */
export const POLAR_SOURCE: SourceIdentity = { provider: 'polar', writer: WRITER, deviceType: 'watch' };

/** Source of profile values without a time. */
export const PROFILE_SOURCE: SourceIdentity = { provider: 'polar', writer: POLAR_PROFILE_WRITER };

/**
 * Returns an exercise's source.
 * @param device the vendor's name of the recording device, if any
 */
export function sourceOf(device: unknown): SourceIdentity {
  const model = textOf(device);
  if (model === undefined) return POLAR_SOURCE;
  return { ...POLAR_SOURCE, deviceModel: model, deviceType: deviceType({ model, provider: 'polar' }) };
}

function replacedWindow({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'polar', writer: WRITER, startMs, endMs } as const;
}

/** Returns the range that covers a day in every time zone. */
export function aroundDay(day: number): TimeRange {
  return { startMs: dayStartMs(day) - WIDEST_MS, endMs: dayStartMs(day + 1) + WIDEST_MS };
}

/** Returns the id of a date's night measurements. */
export const nightId = (date: string) => `sleep/${date}`;

/** Returns the id of a date's continuous measurements. */
export const continuousId = (date: string) => `continuous-heart-rate/${date}`;

/**
 * Replaces only the samples of these items, which the response contains in full. The vendor returns no data from before
 * the user's registration, so a missing item does not mean a deletion.
 */
export function replacedSamples(
  externalId: string | readonly string[],
  codes: readonly SeriesCode[],
  range: TimeRange,
): ReplacementRecord {
  const externalIds = typeof externalId === 'string' ? [externalId] : externalId;
  return { ...replacedWindow(range), of: 'samples', typeIds: seriesTypeIds(codes), externalIds };
}

/** Replaces the totals of one local day. */
export function replacedTotals(day: number, codes: readonly SeriesCode[]): ReplacementRecord {
  const localDays = { firstDay: day, endDay: day + 1 };
  const sampleKinds: SampleKind[] = ['daily_total'];
  return { ...replacedWindow(aroundDay(day)), of: 'samples', typeIds: seriesTypeIds(codes), sampleKinds, localDays };
}

/** Replaces the scores whose id has this prefix. */
export function replacedScore(idPrefix: string, range: TimeRange): ReplacementRecord {
  return { ...replacedWindow(range), of: 'health_scores', idPrefix };
}

/** Time and id of a value. */
export interface SamplePlace {
  startMs: number;
  offsetMinutes?: number | undefined;
  durationMs?: number;
  externalId?: string;
}

export function sampleOf(series: SeriesCode, sampleKind: SampleKind, place: SamplePlace, value: number): SampleRecord {
  return { kind: 'sample', source: POLAR_SOURCE, typeId: seriesTypeByCode(series).id, sampleKind, ...place, value };
}
