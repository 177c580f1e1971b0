import type { SampleRecord, SeriesCode } from '@healthd/model';
import { isObject } from '../../device-push/index.js';
import { instantMs } from '../../rest/index.js';
import { PROFILE_SOURCE, sampleOf } from './source.js';
import { positive } from './values.js';

/** Members of the person's settings and the series that they are. */
const MEMBERS = {
  weight: 'weight',
  height: 'height',
  resting_heart_rate: 'resting_heart_rate',
  vo2_max: 'vo2_max',
} as const satisfies Record<string, SeriesCode>;

/** Series that they lead to. */
export const PHYSICAL_SERIES: readonly SeriesCode[] = Object.values(MEMBERS);

/**
 * What the vendor knows of the person now, at the time at which it was last changed. Where the vendor does not say that, it is a
 * statement of the profile as of now. The vendor's default weight is none.
 * @param askedMs when the vendor was asked
 */
export function physicalSamples(answer: unknown, askedMs: number): SampleRecord[] {
  if (!isObject(answer)) return [];
  const changedMs = instantMs(answer.modified);
  const isDated = !Number.isNaN(changedMs);
  const startMs = isDated ? Math.min(changedMs, askedMs) : askedMs;
  return Object.entries(MEMBERS).flatMap(([member, series]): SampleRecord[] => {
    const value = positive(answer[member]);
    const isDefault = member === 'weight' && answer.weight_source === 'SOURCE_DEFAULT';
    if (value === undefined || isDefault) return [];
    const sample = sampleOf(series, 'sample', { startMs }, value);
    return [isDated ? sample : { ...sample, source: PROFILE_SOURCE }];
  });
}
