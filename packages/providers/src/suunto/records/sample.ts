import type { Tally } from '../../cloud/index.js';
import { intervalProblem } from '../../interval.js';
import { isObject, type PayloadObject } from '../../payload/index.js';
import { instantMs, offsetOfTime } from '../../rest/index.js';

/** A record of what the watch measures day and night: a time, and what was measured. */
export interface WatchSample {
  index: number;
  atMs: number;
  offsetMinutes: number | undefined;
  data: PayloadObject;
}

/** Milliseconds since 1970 of a time with its offset; NaN for anything else: without one it is on a clock that no one knows. */
export function zonedMs(time: unknown): number {
  return offsetOfTime(time) === undefined ? Number.NaN : instantMs(time);
}

/** A record's place in time; undefined, and a rejection, for one that has none. */
export function watchSample(sample: unknown, tally: Tally): WatchSample | undefined {
  const index = tally.next();
  if (!isObject(sample)) return void tally.reject(index, undefined, 'not_an_object');
  const { timestamp, entryData: data } = sample;
  const atMs = zonedMs(timestamp);
  const problem = intervalProblem(atMs, atMs);
  if (problem) return void tally.reject(index, 'timestamp', problem.code);
  if (!isObject(data)) return void tally.reject(index, 'entryData', 'not_an_object');
  return { index, atMs, offsetMinutes: offsetOfTime(timestamp), data };
}
