import type { Resolution, SeriesRule } from '@healthd/model';

/** Aggregation of a bucket's samples. */
const OF_BUCKET: Record<SeriesRule, string> = { sum: 'sum', avg: 'average', max: 'maximum', last: 'last value' };

interface ShownSeries {
  rule: SeriesRule;
  unit: string;
  resolution: Resolution;
  /** True if there are more values than were loaded. */
  isCut: boolean;
}

/**
 * Returns the column titles per source. They distinguish samples from bucket aggregates, whose extremes differ.
 * `hasSum` is false if values are not amounts or are incomplete.
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
