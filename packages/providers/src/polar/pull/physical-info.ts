import type { SampleRecord, SeriesCode } from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { isObject, readPayload } from '../../payload/index.js';
import { instantMs } from '../../rest/index.js';
import { PROFILE_SOURCE, sampleOf } from './source.js';
import { INSTANT, positive } from './values.js';

/** The user's settings. */
const PHYSICAL_INFO = z.object({
  /** Kilograms. */
  weight: z.number(),
  /** Centimeters. */
  height: z.number(),
  resting_heart_rate: z.number(),
  /** Milliliters per kilogram and minute. */
  vo2_max: z.number(),
  /** Time of the last change to any setting, in UTC. */
  modified: INSTANT,
  weight_source: z.string().startsWith('SOURCE_'),
});

/** Series read from the settings, under the vendor's names. */
export const PHYSICAL_SERIES = ['weight', 'height', 'resting_heart_rate', 'vo2_max'] as const satisfies SeriesCode[];

/**
 * Returns the user's current values at the time of their last change. If that time is missing, returns profile values
 * at the time of the request. Skips a weight that is the vendor's default.
 * @param nowMs time of the request
 */
export function physicalSamples(response: unknown, nowMs: number, tally: Tally): SampleRecord[] {
  if (response === undefined) return [];
  if (!isObject(response)) {
    tally.reject(tally.next(), undefined, 'not_an_object');
    return [];
  }
  const info = readPayload(PHYSICAL_INFO, response, (field) => tally.rejectUnreadable(tally.next(), field));
  const isDated = info.modified !== undefined;
  const startMs = isDated ? Math.min(instantMs(info.modified), nowMs) : nowMs;
  return PHYSICAL_SERIES.flatMap((series): SampleRecord[] => {
    const value = positive(info[series]);
    const isDefault = series === 'weight' && info.weight_source === 'SOURCE_DEFAULT';
    if (value === undefined || isDefault) return [];
    const sample = sampleOf(series, 'sample', { startMs }, value);
    return [isDated ? sample : { ...sample, source: PROFILE_SOURCE }];
  });
}
