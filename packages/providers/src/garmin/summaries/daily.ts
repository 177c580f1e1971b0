import { type HealthRecord, MS_PER_DAY, MS_PER_SECOND, type SeriesCode } from '@healthd/model';
import { numberOf } from '../../payload/index.js';
import type { Gives } from '../../rest/index.js';
import { dayOf, localDateOf, placeOf } from './place.js';
import type { SummaryReader } from './reading.js';
import { mappedSamples, positive, sample } from './samples.js';
import { healthScore, numbers, wordsOf } from './score.js';

/**
 * Members that are totals of the day. `averageHeartRateInBeatsPerMinute` is none of them: it is a figure of seven days.
 * Distances of a wheelchair are no steps, so pushes have a series of their own.
 */
const TOTALS: readonly { member: string; code: SeriesCode; divisor?: number; onlyPositive?: true }[] = [
  { member: 'steps', code: 'steps' },
  { member: 'distanceInMeters', code: 'distance_walking_running' },
  { member: 'activeKilocalories', code: 'energy' },
  { member: 'bmrKilocalories', code: 'basal_energy' },
  { member: 'floorsClimbed', code: 'flights_climbed' },
  { member: 'activeTimeInSeconds', code: 'active_time', divisor: 60 },
  { member: 'pushes', code: 'push_count', onlyPositive: true },
  { member: 'restingHeartRateInBeatsPerMinute', code: 'resting_heart_rate', onlyPositive: true },
];

/** What a day leads to. */
export const DAILY_GIVES: Gives = { series: [...TOTALS.map(({ code }) => code), 'heart_rate'], scores: ['stress'] };

const STRESS_COMPONENTS = [
  'maxStressLevel',
  'stressDurationInSeconds',
  'restStressDurationInSeconds',
  'activityStressDurationInSeconds',
  'lowStressDurationInSeconds',
  'mediumStressDurationInSeconds',
  'highStressDurationInSeconds',
];

/**
 * A day: its totals, the heart rate in steps of 15 s, and how stressful it was. It comes many times while it runs, each
 * time longer, so that the longer of two is the newer.
 */
export const readDaily: SummaryReader = (item, reading) => {
  const place = placeOf(item, reading);
  if (!place) return undefined;
  const { startMs, endMs, offsetMinutes } = place;
  const day = dayOf(place);
  const records: HealthRecord[] = [];
  for (const { member, code, divisor = 1, onlyPositive } of TOTALS) {
    const number = numberOf(item[member]);
    if (number === undefined) continue;
    if (onlyPositive ? number <= 0 : number < 0) reading.tally.noValue++;
    else {
      const value = number / divisor;
      records.push(sample({ code, value, ...day, durationMs: endMs - startMs, kind: 'daily_total' }));
    }
  }
  records.push(
    ...mappedSamples(item.timeOffsetHeartRateSamples, place, reading, {
      code: 'heart_rate',
      id: 'dailies',
      field: 'timeOffsetHeartRateSamples',
      convert: positive,
    }),
  );
  const date = localDateOf(place);
  const stress = numberOf(item.averageStressLevel) ?? numberOf(item.averageStresslevel);
  if (stress !== undefined && stress < 0) reading.tally.noValue++;
  else if (stress !== undefined) {
    const components = numbers(item, STRESS_COMPONENTS);
    const qualifier = wordsOf(item.stressQualifier);
    const score = { value: stress, qualifier, atMs: day.startMs, offsetMinutes, components };
    records.push(healthScore({ category: 'stress', id: date, ...score }));
  }
  const span = { startMs, endMs: Math.max(endMs, startMs + MS_PER_SECOND) };
  return { records, span, key: date, version: Math.min(endMs - startMs, MS_PER_DAY) / MS_PER_SECOND };
};
