import type { HealthScoreRecord } from '@healthd/model';
import { numberOf } from '../../payload/index.js';
import type { PlacedSleep } from './placed-sleep.js';
import { positive } from './series.js';
import { SUUNTO_SOURCE } from './source.js';

/** Begins the ids of scores of sleep. */
export const SLEEP_SCORES = 'sleep/';
/** What explains the score, under the vendor's names: times in seconds, heart rates a minute, the highest saturation as a share. */
const COMPONENTS = [
  'SleepOnsetLatencyDuration',
  'WakeAfterSleepOnsetDuration',
  'WakeBeforeOffBedDuration',
  'HRAvg',
  'AvgHRVSampleCount',
  'MaxSpo2',
];

/** The vendor's score of a sleep, 0 to 100, at its start; none where it gives none. It is no efficiency. */
export function sleepScores({ id, startMs, offsetMinutes, data }: PlacedSleep): HealthScoreRecord[] {
  const value = positive(numberOf(data.SleepQualityScore));
  if (value === undefined || value > 100) return [];
  const components = COMPONENTS.flatMap((name) => {
    const component = numberOf(data[name]);
    return component === undefined ? [] : [[name, { value: component, qualifier: null }] as const];
  });
  return [
    {
      kind: 'health_score',
      source: SUUNTO_SOURCE,
      externalId: `${SLEEP_SCORES}${id}`,
      category: 'sleep',
      value,
      atMs: startMs,
      offsetMinutes,
      components: {
        ...Object.fromEntries(components),
        ...(data.IsNap === true && { period: { value: null, qualifier: 'nap' } }),
      },
    },
  ];
}
