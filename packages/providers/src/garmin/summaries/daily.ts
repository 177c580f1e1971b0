import { type HealthRecord, MS_PER_DAY, MS_PER_SECOND, type SeriesCode } from '@healthd/model';
import { z } from 'zod';
import type { Gives } from '../../rest/index.js';
import { dayOf, localDateOf, placeOf } from './place.js';
import { PLACE, summaryReader, VALUES } from './reading.js';
import { mappedSamples, positive, sample } from './samples.js';
import { healthScore, numbers, wordsOf } from './score.js';

/** Totals of a day so far. */
const DAY = PLACE.extend({
  steps: z.number(),
  distanceInMeters: z.number(),
  activeKilocalories: z.number(),
  bmrKilocalories: z.number(),
  floorsClimbed: z.number(),
  activeTimeInSeconds: z.number(),
  /** Wheelchair pushes. */
  pushes: z.number(),
  restingHeartRateInBeatsPerMinute: z.number(),
  /** Negative if there is no value. The second member has the older name. */
  averageStressLevel: z.number(),
  averageStresslevel: z.number(),
  maxStressLevel: z.number(),
  stressDurationInSeconds: z.number(),
  restStressDurationInSeconds: z.number(),
  activityStressDurationInSeconds: z.number(),
  lowStressDurationInSeconds: z.number(),
  mediumStressDurationInSeconds: z.number(),
  highStressDurationInSeconds: z.number(),
  stressQualifier: z.string(),
  timeOffsetHeartRateSamples: VALUES,
});

type Total =
  | 'steps'
  | 'distanceInMeters'
  | 'activeKilocalories'
  | 'bmrKilocalories'
  | 'floorsClimbed'
  | 'activeTimeInSeconds'
  | 'pushes'
  | 'restingHeartRateInBeatsPerMinute';

/**
 * Members that are daily totals. Excludes `averageHeartRateInBeatsPerMinute`, which covers seven days. Wheelchair
 * pushes are not steps, so they have a separate series.
 */
const TOTALS: readonly { member: Total; code: SeriesCode; divisor?: number; onlyPositive?: true }[] = [
  { member: 'steps', code: 'steps' },
  { member: 'distanceInMeters', code: 'distance_walking_running' },
  { member: 'activeKilocalories', code: 'energy' },
  { member: 'bmrKilocalories', code: 'basal_energy' },
  { member: 'floorsClimbed', code: 'flights_climbed' },
  { member: 'activeTimeInSeconds', code: 'active_time', divisor: 60 },
  { member: 'pushes', code: 'push_count', onlyPositive: true },
  { member: 'restingHeartRateInBeatsPerMinute', code: 'resting_heart_rate', onlyPositive: true },
];

/** Series and scores of a day. */
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
 * A day: its totals, the heart rate every 15 s, and its stress. The vendor sends it repeatedly during the day, so the
 * longer version is newer.
 */
export const readDaily = summaryReader(DAY, (item, reading) => {
  const place = placeOf(item, reading);
  if (!place) return undefined;
  const { startMs, endMs, offsetMinutes } = place;
  const day = dayOf(place);
  const records: HealthRecord[] = [];
  for (const { member, code, divisor = 1, onlyPositive } of TOTALS) {
    const number = item[member];
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
  const stress = item.averageStressLevel ?? item.averageStresslevel;
  if (stress !== undefined && stress < 0) reading.tally.noValue++;
  else if (stress !== undefined) {
    const components = numbers(item, STRESS_COMPONENTS);
    const qualifier = wordsOf(item.stressQualifier);
    const score = { value: stress, qualifier, atMs: day.startMs, offsetMinutes, components };
    records.push(healthScore({ category: 'stress', id: date, ...score }));
  }
  const span = { startMs, endMs: Math.max(endMs, startMs + MS_PER_SECOND) };
  return { records, span, key: date, version: Math.min(endMs - startMs, MS_PER_DAY) / MS_PER_SECOND };
});
