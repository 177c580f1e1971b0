import { expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { alertnessRecords, bedtimeRecords } from './sleepwise.js';

const ALERTNESS = {
  grade: 7.5,
  grade_type: 'GRADE_TYPE_PRIMARY',
  sleep_type: 'SLEEP_TYPE_PRIMARY',
  result_type: 'ALERTNESS_TYPE_HISTORY',
  validity: 'VALIDITY_VALID',
  period_start_time: '2026-05-03T19:51:10',
  sleep_period_end_time: '2026-05-04T03:47:40',
  sleep_timezone_offset_minutes: 180,
};
const BEDTIME = {
  quality: 'CIRCADIAN_BEDTIME_QUALITY_COMPROMISED',
  result_type: 'CIRCADIAN_BEDTIME_TYPE_HISTORY',
  validity: 'VALIDITY_VALID',
  period_start_time: '2026-05-03T19:18:30',
  preferred_sleep_period_end_time: '2026-05-04T03:20:00',
  sleep_timezone_offset_minutes: 180,
};
const alertness = (...changes: object[]) =>
  alertnessRecords(
    changes.map((change) => ({ ...ALERTNESS, ...change })),
    new Tally('alertness'),
  );
const bedtime = (change: object) => bedtimeRecords([{ ...BEDTIME, ...change }], new Tally('circadian-bedtime'));

it('uses the main sleep for a date’s readiness', () => {
  const nap = { sleep_type: 'SLEEP_TYPE_SECONDARY', grade: 2, sleep_period_end_time: '2026-05-04T12:00:00' };
  for (const periods of [
    [{}, nap],
    [nap, {}],
  ]) {
    const scores = alertness(...periods).filter(({ kind }) => kind === 'health_score');
    expect(scores).toMatchObject([{ externalId: 'sleepwise-alertness/2026-05-04', value: 7.5 }]);
  }
  expect(alertness({ sleep_type: 'SLEEP_TYPE_ARTIFICIAL' })).toEqual([]);
});

it('deletes the stored score of an invalid period', () => {
  const lost = [{ kind: 'replacement', of: 'health_scores', idPrefix: 'sleepwise-alertness/2026-05-04' }];
  expect(alertness({ validity: 'VALIDITY_UNKNOWN' })).toMatchObject(lost);
  expect(alertness({ grade: -1 })).toMatchObject(lost);
  const bedtimes = [{ kind: 'replacement', of: 'health_scores', idPrefix: 'sleepwise-bedtime/2026-05-04' }];
  expect(bedtime({ validity: 'VALIDITY_INVALID' })).toMatchObject(bedtimes);
  expect(bedtime({ quality: 'CIRCADIAN_BEDTIME_QUALITY_UNKNOWN' })).toMatchObject(bedtimes);
});

it.each([
  ['forecast', { result_type: 'ALERTNESS_TYPE_PREDICTION' }],
  ['additional grade', { grade_type: 'GRADE_TYPE_ADDITIONAL' }],
  ['secondary sleep', { sleep_type: 'SLEEP_TYPE_SECONDARY' }],
  ['period without a waking time', { sleep_period_end_time: null }],
])('keeps the stored score for an invalid %s', (_, change) => {
  expect(alertness({ validity: 'VALIDITY_UNKNOWN', ...change })).toEqual([]);
});

it('keeps the stored score for an invalid bedtime forecast', () => {
  expect(bedtime({ validity: 'VALIDITY_UNKNOWN', result_type: 'CIRCADIAN_BEDTIME_TYPE_PREDICTION' })).toEqual([]);
});
