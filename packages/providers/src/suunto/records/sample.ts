import type { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { intervalProblem } from '../../interval.js';
import { isObject, type PayloadOf, readPayload } from '../../payload/index.js';
import { instantMs, offsetOfTime } from '../../rest/index.js';

/** An all-day record of a watch: a time, and its measurements. */
export interface WatchSample<Data> {
  index: number;
  atMs: number;
  offsetMinutes: number | undefined;
  data: Data;
}

/**
 * Parses a time with an offset as milliseconds since 1970. NaN for other values, because a time without an offset is
 * ambiguous.
 */
export function zonedMs(time: unknown): number {
  return offsetOfTime(time) === undefined ? Number.NaN : instantMs(time);
}

/**
 * Reads a record with `timestamp`, and measurements in `entryData`. Rejects a record without a time and returns
 * undefined.
 * @param type of `entryData`
 */
export function watchSample<Shape extends z.ZodRawShape>(
  type: z.ZodObject<Shape>,
  sample: unknown,
  tally: Tally,
): WatchSample<PayloadOf<z.ZodObject<Shape>>> | undefined {
  const index = tally.next();
  if (!isObject(sample)) return void tally.reject(index, undefined, 'not_an_object');
  const { timestamp, entryData } = sample;
  const atMs = zonedMs(timestamp);
  const problem = intervalProblem(atMs, atMs);
  if (problem) return void tally.reject(index, 'timestamp', problem.code);
  if (!isObject(entryData)) return void tally.reject(index, 'entryData', 'not_an_object');
  const data = readPayload(type, entryData, (field) => tally.rejectUnreadable(index, field));
  return { index, atMs, offsetMinutes: offsetOfTime(timestamp), data };
}
