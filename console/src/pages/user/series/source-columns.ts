import type { Resolution, SeriesRule } from '@healthd/model';

/** What a bucket holds of the samples in it. */
const OF_BUCKET: Record<SeriesRule, string> = { sum: 'sum', avg: 'average', max: 'maximum', last: 'last value' };

interface ShownSeries {
  rule: SeriesRule;
  unit: string;
  resolution: Resolution;
  /** Whether there are more values than were read. */
  isCut: boolean;
}

/**
 * Titles of the figures of each source. They name what is compared: samples, or what a bucket makes of them, whose lowest
 * and highest are not those of the samples. `hasSum` is false where the values are no amounts or are not all there.
 */
export function sourceColumns({ rule, unit, resolution, isCut }: ShownSeries) {
  const isRaw = resolution === 'raw';
  const what = isRaw ? unit : `${OF_BUCKET[rule]} ${unit}`;
  return {
    count: isRaw ? 'Values' : 'Points',
    lowest: `Lowest ${what}`,
    highest: `Highest ${what}`,
    hasSum: rule === 'sum' && !isCut,
  };
}
