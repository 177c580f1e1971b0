import {
  dayNumber,
  type HealthRecord,
  MS_PER_DAY,
  type SampleRecord,
  SECONDS_PER_MINUTE,
  type SeriesCode,
} from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { isObject, type PayloadObject } from '../../payload/index.js';
import { countUnreadable, membersOf } from '../../rest/index.js';
import { ISO_DURATION, secondsOfDuration } from './iso-duration.js';
import { aroundDay, replacedSamples, replacedTotals, sampleOf } from './source.js';
import { stepSamples } from './step-samples.js';
import { notNegative } from './values.js';
import { midnightOf, type WallClock } from './wall-clock.js';

/** What is one for the day, by series; undefined where the day has none. */
const TOTALS = {
  steps: ({ steps }) => notNegative(steps),
  energy: ({ active_calories: active }) => notNegative(active),
  basal_energy: basalEnergy,
  distance_walking_running: ({ distance_from_steps: meters }) => notNegative(meters),
  active_time: activeMinutes,
} as const satisfies Partial<Record<SeriesCode, (day: PayloadObject) => number | undefined>>;

/** Series that days of activity lead to. */
export const ACTIVITY_SERIES = Object.keys(TOTALS) as (keyof typeof TOTALS)[];

const MEMBERS = {
  ...membersOf('number', ['steps', 'active_calories', 'calories', 'distance_from_steps', 'samples.steps.interval_ms']),
  active_duration: ISO_DURATION,
  ...membersOf('object', ['samples', 'samples.steps']),
  'samples.steps.samples': 'list',
} as const;

/** The vendor's total holds what the body spends at rest. */
function basalEnergy({ calories, active_calories }: PayloadObject): number | undefined {
  const [total, active] = [notNegative(calories), notNegative(active_calories)];
  return total === undefined || active === undefined || total < active ? undefined : total - active;
}

/** Whole minutes. */
function activeMinutes({ active_duration: duration }: PayloadObject): number | undefined {
  const seconds = secondsOfDuration(duration);
  return seconds === undefined ? undefined : Math.round(seconds / SECONDS_PER_MINUTE);
}

/**
 * Days of activity. A day is known by its date: the time at which the vendor has it begin may move while it grows. Its totals
 * stand at its midnight on the clock that the person lived by; where that is not known, at midnight UTC without an offset, which
 * reads as the date itself.
 */
export function activityRecords(days: readonly unknown[], clock: WallClock, tally: Tally): HealthRecord[] {
  return days.flatMap((one): HealthRecord[] => {
    const index = tally.next();
    const date = dateOf(one);
    const day = date === undefined ? undefined : dayNumber(date);
    if (!isObject(one) || day === undefined) {
      tally.reject(index, 'start_time', 'invalid_date');
      return [];
    }
    countUnreadable(one, MEMBERS, tally.fault);
    const place = { ...midnightOf(day, clock), durationMs: MS_PER_DAY };
    const totals = ACTIVITY_SERIES.flatMap((series): SampleRecord[] => {
      const value = TOTALS[series](one);
      return value === undefined ? [] : [sampleOf(series, 'daily_total', place, value)];
    });
    const externalId = `activities/${date}`;
    const steps = stepSamples(isObject(one.samples) ? one.samples.steps : undefined, clock, tally);
    return [
      replacedTotals(day, ACTIVITY_SERIES),
      ...totals,
      replacedSamples(externalId, ['steps'], aroundDay(day)),
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
