import {
  dayNumber,
  type HealthRecord,
  MS_PER_DAY,
  type SampleRecord,
  SECONDS_PER_MINUTE,
  type SeriesCode,
} from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadOf, readPayload } from '../../payload/index.js';
import { requireAtMost } from '../../rest/index.js';
import { aroundDay, replacedSamples, replacedTotals, sampleOf } from './source.js';
import { DURATION, notNegative, positive, secondsOfDuration } from './values.js';
import { midnightOf, type WallClock } from './wall-clock.js';
import { instantOfWall, wallMsOf } from './wall-time.js';

const STEPS = z.object({
  /** Time between two samples. */
  interval_ms: z.number(),
  /** Total steps. Compared with the sum of the samples, which must be equal. */
  total_steps: z.unknown(),
  /** Samples, each with `steps` and a wall-clock `timestamp`. */
  samples: z.array(z.unknown()),
});

/** A day of activity. Its date is `samples.date`, or the date of `start_time` if that is missing. */
const DAY = z.object({
  steps: z.number(),
  /** Kilocalories. */
  active_calories: z.number(),
  /** Kilocalories, including resting energy. */
  calories: z.number(),
  /** Meters. */
  distance_from_steps: z.number(),
  active_duration: DURATION,
  samples: z.object({ steps: STEPS }),
});
type Day = PayloadOf<typeof DAY>;

/** The day's total of each series; undefined if the day has no total. */
const TOTALS = {
  steps: ({ steps }) => notNegative(steps),
  energy: ({ active_calories: active }) => notNegative(active),
  basal_energy: basalEnergy,
  distance_walking_running: ({ distance_from_steps: meters }) => notNegative(meters),
  active_time: activeMinutes,
} as const satisfies Partial<Record<SeriesCode, (day: Day) => number | undefined>>;

/** Series read from days of activity. */
export const ACTIVITY_SERIES = Object.keys(TOTALS) as (keyof typeof TOTALS)[];

function basalEnergy({ calories, active_calories }: Day): number | undefined {
  const [total, active] = [notNegative(calories), notNegative(active_calories)];
  return total === undefined || active === undefined || total < active ? undefined : total - active;
}

/** Returns whole minutes. */
function activeMinutes({ active_duration: duration }: Day): number | undefined {
  const seconds = secondsOfDuration(duration);
  return seconds === undefined ? undefined : Math.round(seconds / SECONDS_PER_MINUTE);
}

/**
 * Returns the records of days of activity. The date identifies a day, because its start may move while the day grows.
 * Totals start at midnight on the user's clock. If that clock is unknown, they start at midnight UTC without an offset,
 * which reads as the same date.
 */
export function activityRecords(days: readonly unknown[], clock: WallClock, tally: Tally): HealthRecord[] {
  return days.flatMap((one): HealthRecord[] => {
    const index = tally.next();
    const date = dateOf(one);
    const dayOfDate = date === undefined ? undefined : dayNumber(date);
    if (!isObject(one) || dayOfDate === undefined) {
      tally.reject(index, 'start_time', 'invalid_date');
      return [];
    }
    const day = readPayload(DAY, one, tally.fault);
    const place = { ...midnightOf(dayOfDate, clock), durationMs: MS_PER_DAY };
    const totals = ACTIVITY_SERIES.flatMap((series): SampleRecord[] => {
      const value = TOTALS[series](day);
      return value === undefined ? [] : [sampleOf(series, 'daily_total', place, value)];
    });
    const externalId = `activities/${date}`;
    const steps = stepSamples(day.samples?.steps, clock, tally);
    return [
      replacedTotals(dayOfDate, ACTIVITY_SERIES),
      ...totals,
      replacedSamples(externalId, ['steps'], aroundDay(dayOfDate)),
      ...steps.map((sample) => ({ ...sample, externalId })),
    ];
  });
}

function dateOf(day: unknown): string | undefined {
  if (!isObject(day)) return undefined;
  const { samples, start_time: start } = day;
  if (isObject(samples) && typeof samples.date === 'string') return samples.date;
  return typeof start === 'string' ? start.slice(0, 10) : undefined;
}

/** Maximum number of intervals, slightly more than the minutes of a day. */
const MAX_INTERVALS = 1_500;

/** Consecutive intervals with equal steps. */
interface Run {
  wallMs: number;
  /** Steps of each interval. */
  steps: number;
  intervals: number;
}

/**
 * Returns the steps within a day. The vendor omits an interval that has as many steps as the previous interval, so a
 * value holds until the next sample. Rejects runs whose sum differs from the total, and runs on an unknown clock.
 */
function stepSamples(steps: PayloadOf<typeof STEPS> | undefined, clock: WallClock, tally: Tally): SampleRecord[] {
  if (steps === undefined) return [];
  const intervalMs = positive(steps.interval_ms);
  const total = notNegative(steps.total_steps);
  const runs = intervalMs === undefined ? undefined : runsOf(steps.samples, intervalMs);
  if (intervalMs === undefined || runs?.reduce((sum, run) => sum + run.steps * run.intervals, 0) !== total) {
    if (steps.samples !== undefined && steps.samples.length > 0) tally.fault('samples.steps');
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

/** Returns undefined if a sample is unreadable, because the remaining samples would not add up to the total. */
function runsOf(samples: readonly unknown[] | undefined, intervalMs: number): Run[] | undefined {
  if (samples === undefined) return undefined;
  requireAtMost(MAX_INTERVALS, samples.length);
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
