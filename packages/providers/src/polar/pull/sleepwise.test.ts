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

it('the readiness of a date is that of its main sleep, in any order of the periods', () => {
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

it('a period that lost its validity or its value loses the score that is stored', () => {
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
  ['period of which the waking is not known', { sleep_period_end_time: null }],
])('an invalid %s takes no stored score away', (_, change) => {
  expect(alertness({ validity: 'VALIDITY_UNKNOWN', ...change })).toEqual([]);
});

it('an invalid forecast of a bedtime takes no stored score away', () => {
  expect(bedtime({ validity: 'VALIDITY_UNKNOWN', result_type: 'CIRCADIAN_BEDTIME_TYPE_PREDICTION' })).toEqual([]);
});
