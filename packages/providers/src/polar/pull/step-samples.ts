import type { SampleRecord } from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { isObject, numberOf } from '../../payload/index.js';
import { sampleOf } from './source.js';
import { notNegative, positive } from './values.js';
import type { WallClock } from './wall-clock.js';
import { instantOfWall, wallMsOf } from './wall-time.js';

interface Run {
  wallMs: number;
  /** Of each interval. */
  steps: number;
  intervals: number;
}

/**
 * Steps within a day. The vendor leaves out intervals with as many steps as the one before, so that a value holds until the
 * next one. Runs that do not sum up to the total that comes with them are rejected, and so are runs on an unknown clock.
 */
export function stepSamples(steps: unknown, clock: WallClock, tally: Tally): SampleRecord[] {
  if (!isObject(steps)) return [];
  const intervalMs = positive(steps.interval_ms);
  const total = notNegative(steps.total_steps);
  const runs = intervalMs === undefined ? undefined : runsOf(steps.samples, intervalMs);
  if (intervalMs === undefined || runs?.reduce((sum, run) => sum + run.steps * run.intervals, 0) !== total) {
    if (Array.isArray(steps.samples) && steps.samples.length > 0) tally.fault('samples.steps');
    return [];
  }
  if (runs === undefined) return [];
  return runs.flatMap(({ wallMs, steps: each, intervals }): SampleRecord[] => {
    const offsetMinutes = clock.offsetAt(wallMs);
    if (each === 0) return [];
    if (offsetMinutes === undefined) {
      tally.reject(tally.next(), 'timestamp', 'unknown_offset');
      return [];
    }
    const place = { startMs: instantOfWall(wallMs, offsetMinutes), offsetMinutes, durationMs: intervals * intervalMs };
    return [sampleOf('steps', 'sample', place, each * intervals)];
  });
}

/** Undefined where one of the samples cannot be read: the others would not sum up. */
function runsOf(samples: unknown, intervalMs: number): Run[] | undefined {
  if (!Array.isArray(samples)) return undefined;
  const read = samples.map((sample): Run => {
    const steps = isObject(sample) ? (numberOf(sample.steps) ?? Number.NaN) : Number.NaN;
    return { wallMs: isObject(sample) ? wallMsOf(sample.timestamp) : Number.NaN, steps, intervals: 1 };
  });
  if (read.some(({ wallMs, steps }) => Number.isNaN(wallMs) || !(steps >= 0))) return undefined;
  const ordered = read.sort((a, b) => a.wallMs - b.wallMs);
  return ordered.map((run, n) => {
    const next = ordered[n + 1];
    const intervals = next === undefined ? 1 : Math.round((next.wallMs - run.wallMs) / intervalMs);
    return { ...run, intervals: Math.max(1, intervals) };
  });
}
