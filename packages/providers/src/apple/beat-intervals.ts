import type { BeatList } from '@healthd/apple-export';
import { computedRmssd, RMSSD_RULE } from '@healthd/model';

/** The export prints times of beats in hundredths of a second, and heart rates as whole numbers. */
const TIME_ERROR_MS = 10;
const BPM_ERROR = 0.5;
const HALF_DAY_MS = 12 * 60 * 60 * 1000;
const MS_PER_MINUTE = 60_000;

/** Returns the RMSSD of an exported list of beats; undefined if too few are usable. */
export function rmssdOfBeats(beats: BeatList): number | undefined {
  // The list has one beat more than intervals.
  return beats.length > RMSSD_RULE.maxIntervals + 1 ? undefined : computedRmssd(intervalsOfBeats(beats));
}

/**
 * Returns the intervals between exported beats, from their times, which are more precise than their heart rates below
 * 70 bpm. A beat's heart rate is the rate of the interval that ends at the beat. An interval that contradicts this heart
 * rate contains beats that the sensor missed, and is NaN.
 */
function intervalsOfBeats({ length, bpm, timeMs }: BeatList): Float64Array {
  const intervals = new Float64Array(Math.max(0, length - 1));
  for (let at = 1; at < length; at++) {
    const elapsed = (timeMs[at] as number) - (timeMs[at - 1] as number);
    const interval = elapsed < 0 ? elapsed + HALF_DAY_MS : elapsed;
    const rate = bpm[at] as number;
    const shortest = MS_PER_MINUTE / (rate + BPM_ERROR) - TIME_ERROR_MS;
    const longest = MS_PER_MINUTE / (rate - BPM_ERROR) + TIME_ERROR_MS;
    intervals[at - 1] = interval >= shortest && interval <= longest ? interval : Number.NaN;
  }
  return intervals;
}
