import { expect, it } from 'vitest';
import { coverageMatrix, type DeclaredCoverage } from './coverage.js';

const none = { series: [], workoutFields: [], sleepFields: [], menstrualCycleFields: [], healthScores: [] };
const declared: DeclaredCoverage[] = [
  { ...none, provider: 'whoop', series: ['resting_heart_rate'], healthScores: ['strain'] },
  { ...none, provider: 'apple', series: ['steps', 'resting_heart_rate', 'heart_rate'], sleepFields: ['is_nap'] },
];

it('lists only supplied types, with sorted providers and codes', () => {
  expect(coverageMatrix(declared)).toEqual({
    providers: ['apple', 'whoop'],
    timeseries: [
      {
        name: 'Heart & Cardiovascular',
        metrics: [
          { code: 'heart_rate', unit: 'bpm', providers: ['apple'] },
          { code: 'resting_heart_rate', unit: 'bpm', providers: ['apple', 'whoop'] },
        ],
      },
      { name: 'Activity - Basic', metrics: [{ code: 'steps', unit: 'count', providers: ['apple'] }] },
    ],
    workout_fields: [],
    sleep_fields: [{ code: 'is_nap', providers: ['apple'] }],
    menstrual_cycle_fields: [],
    health_scores: [{ code: 'strain', providers: ['whoop'] }],
  });
});
