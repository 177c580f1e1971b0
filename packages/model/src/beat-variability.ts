/**
 * Rules of {@link rmssdOf}. The range covers heart rates from 30 to 200 bpm. The largest change is the rule of Malik,
 * Farrell, Cripps and Camm, "Heart rate variability in relation to prognosis after myocardial infarction: selection of
 * optimal processing techniques", European Heart Journal 10 (1989), pages 1060–1074.
 */
export const RMSSD_RULE = {
  minIntervalMs: 300,
  maxIntervalMs: 2_000,
  /** Largest change from the interval before, as a fraction of that interval. */
  maxChange: 0.2,
  /** Minimum number of differences; fewer differences say little about the minute of a measurement. */
  minDifferences: 20,
  /** Minimum share of the measured intervals that are not artifacts. */
  minShare: 0.8,
  /** Maximum number of intervals of one measurement. A genuine list covers a minute or a few minutes. */
  maxIntervals: 1_000,
} as const;

/**
 * Returns the root mean square of successive differences (RMSSD) between heartbeats, in milliseconds. Drops intervals
 * out of range, and intervals that differ by more than 20 % from the interval before them. Counts differences between
 * adjacent remaining intervals only, never across a missing or dropped interval.
 * @param intervalsMs intervals between successive beats in order; NaN for a beat that the sensor missed
 * @returns undefined if too few differences or too many artifacts remain, or if the list is too long
 */
export function rmssdOf(intervalsMs: ArrayLike<number>): number | undefined {
  const { minIntervalMs, maxIntervalMs, maxChange, minDifferences, minShare, maxIntervals } = RMSSD_RULE;
  if (intervalsMs.length > maxIntervals) return undefined;
  let measured = 0;
  let accepted = 0;
  let differences = 0;
  let squares = 0;
  let before = Number.NaN;
  let isBeforeAccepted = false;
  for (let at = 0; at < intervalsMs.length; at++) {
    const interval = intervalsMs[at] as number;
    let isAccepted = false;
    if (!Number.isNaN(interval)) {
      measured++;
      const isInRange = interval >= minIntervalMs && interval <= maxIntervalMs;
      // Compares with every measured interval, accepted or not, so that a real change of the rate drops one interval.
      isAccepted = isInRange && !(Math.abs(interval - before) > maxChange * before);
    }
    if (isAccepted) {
      accepted++;
      if (isBeforeAccepted) {
        differences++;
        squares += (interval - before) ** 2;
      }
    }
    before = interval;
    isBeforeAccepted = isAccepted;
  }
  if (differences < minDifferences || accepted < minShare * measured) return undefined;
  return Math.sqrt(squares / differences);
}
