import { computedRmssd, MS_PER_SECOND, RMSSD_RULE } from '@healthd/model';
import { isObject } from '../payload/index.js';

/** The list has one beat more than intervals. */
const MAX_BEATS = RMSSD_RULE.maxIntervals + 1;

/** Result of reading a record's `heartbeats`. `rmssd` is undefined if too few intervals are usable. */
export type HeartbeatReading =
  | { rmssd: number | undefined }
  | { problem: 'not_an_array' | 'too_many' | 'invalid_value' };

/**
 * Computes the RMSSD from the heartbeats of a variability record. A beat is `{time, precededByGap}`, as HealthKit's
 * heartbeat series delivers it: seconds since the start of the series, and true if the sensor missed beats before it.
 */
export function readHeartbeats(beats: unknown): HeartbeatReading {
  if (!Array.isArray(beats)) return { problem: 'not_an_array' };
  if (beats.length > MAX_BEATS) return { problem: 'too_many' };
  const intervals = new Float64Array(Math.max(0, beats.length - 1));
  let before = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < beats.length; at++) {
    const beat: unknown = beats[at];
    if (!isObject(beat)) return { problem: 'invalid_value' };
    const { time, precededByGap = false } = beat;
    if (typeof time !== 'number' || !(time >= before)) return { problem: 'invalid_value' };
    if (precededByGap !== null && typeof precededByGap !== 'boolean') return { problem: 'invalid_value' };
    if (at > 0) intervals[at - 1] = precededByGap ? Number.NaN : (time - before) * MS_PER_SECOND;
    before = time;
  }
  return { rmssd: computedRmssd(intervals) };
}
