import type { SampleRecord, SeriesCode } from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';
import { countUnreadable, instantMs, membersOf } from '../../rest/index.js';
import { PROFILE_SOURCE, sampleOf } from './source.js';
import { positive } from './values.js';

/** Members of the person's settings and the series that they are. */
const MEMBERS = {
  weight: 'weight',
  height: 'height',
  resting_heart_rate: 'resting_heart_rate',
  vo2_max: 'vo2_max',
} as const satisfies Record<string, SeriesCode>;

const READ = { ...membersOf('number', Object.keys(MEMBERS)), modified: 'instant', weight_source: /^SOURCE_/ } as const;

/** Series that they lead to. */
export const PHYSICAL_SERIES: readonly SeriesCode[] = Object.values(MEMBERS);

/**
 * What the vendor knows of the person now, at the time at which it was last changed. Where the vendor does not say that, it is a
 * statement of the profile as of now. The vendor's default weight is none.
 * @param askedMs when the vendor was asked
 */
export function physicalSamples(answer: unknown, askedMs: number, tally: Tally): SampleRecord[] {
  if (answer === undefined) return [];
  if (!isObject(answer)) {
    tally.reject(tally.next(), undefined, 'not_an_object');
    return [];
  }
  countUnreadable(answer, READ, (field) => tally.rejectUnreadable(tally.next(), field));
  const changedMs = instantMs(answer.modified);
  const isDated = !Number.isNaN(changedMs);
  const startMs = isDated ? Math.min(changedMs, askedMs) : askedMs;
  return Object.entries(MEMBERS).flatMap(([member, series]): SampleRecord[] => {
    const value = positive(answer[member]);
    const isDefault = member === 'weight' && answer.weight_source === 'SOURCE_DEFAULT';
    if (value === undefined || isDefault) return [];
    tally.next();
    const sample = sampleOf(series, 'sample', { startMs }, value);
    return [isDated ? sample : { ...sample, source: PROFILE_SOURCE }];
  });
}
