import { MS_PER_DAY } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiFailureSchema, rollUpSchema } from './response-schemas.js';
import { ConsentedClient } from './consented-client.js';
import type { PointInput } from './point-types.js';
import type { GoogleSimulator } from './simulator.js';
import { startGoogleSimulator } from './start.js';

let simulator: GoogleSimulator;
let client: ConsentedClient;
beforeAll(async () => {
  simulator = await startGoogleSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin' });
  client = await ConsentedClient.connect(simulator, 'anna');
});

const give = (...points: PointInput[]) => simulator.control.addPoints('anna', points);
const span = (dataType: string, startTime: string, endTime: string, value: PointInput['value']): PointInput => ({
  dataType,
  startTime,
  endTime,
  value,
});
const hours = (dataType: string, from: string, to: string, change: object = {}) =>
  client.post(`dataTypes/${dataType}/dataPoints:rollUp`, {
    range: { startTime: from, endTime: to },
    windowSize: '3600s',
    pageSize: 24,
    ...change,
  });
const date = (text: string) => {
  const [year, month, day] = text.split('-').map(Number);
  return { date: { year, month, day } };
};
const days = (dataType: string, from: string, to: string, change: object = {}) =>
  client.post(`dataTypes/${dataType}/dataPoints:dailyRollUp`, {
    range: { start: date(from), end: date(to) },
    ...change,
  });

test('returns nonempty hours within the range, newest first', async () => {
  await give(
    span('steps', '2026-04-02T08:10:00Z', '2026-04-02T08:11:00Z', 100),
    span('steps', '2026-04-02T08:20:00Z', '2026-04-02T08:21:00Z', 11),
    span('steps', '2026-04-02T10:05:00Z', '2026-04-02T10:06:00Z', 7),
  );
  const response = await hours('steps', '2026-04-02T08:00:00Z', '2026-04-02T10:30:00Z');
  expect(response.as(rollUpSchema).rollupDataPoints).toEqual([
    { startTime: '2026-04-02T10:00:00Z', endTime: '2026-04-02T10:30:00Z', steps: { countSum: '7' } },
    { startTime: '2026-04-02T08:00:00Z', endTime: '2026-04-02T09:00:00Z', steps: { countSum: '111' } },
  ]);
});

test('aligns windows with the start of the range', async () => {
  await give(span('steps', '2026-04-02T08:10:00Z', '2026-04-02T08:11:00Z', 100));
  const response = await hours('steps', '2026-04-02T07:37:00Z', '2026-04-02T09:37:00Z');
  expect(response.as(rollUpSchema).rollupDataPoints[0]).toMatchObject({
    startTime: '2026-04-02T07:37:00Z',
    endTime: '2026-04-02T08:37:00Z',
  });
});

test('sums the merged stream', async () => {
  const walk = span('steps', '2026-04-02T08:10:00Z', '2026-04-02T08:20:00Z', 1000);
  await give(walk, { ...walk, source: 'phone', value: 900 });
  const response = await hours('steps', '2026-04-02T08:00:00Z', '2026-04-02T09:00:00Z');
  expect(response.as(rollUpSchema).rollupDataPoints[0]!.steps).toEqual({ countSum: '1000' });
});

test('combines heart rates, weights and drinks by their rules', async () => {
  const at = (dataType: string, startTime: string, value: PointInput['value']) => ({ dataType, startTime, value });
  await give(
    at('heart-rate', '2026-04-02T08:00:00Z', 60),
    at('heart-rate', '2026-04-02T08:30:00Z', 65),
    at('weight', '2026-04-02T08:00:00Z', 81_000),
    at('weight', '2026-04-02T08:01:00Z', 81_001),
    span('hydration-log', '2026-04-02T08:00:00Z', '2026-04-02T08:01:00Z', {
      amountConsumed: { milliliters: 330, userProvidedUnit: 'MILLILITER' },
    }),
  );
  const value = async (dataType: string, member: string) => {
    const response = await hours(dataType, '2026-04-02T08:00:00Z', '2026-04-02T09:00:00Z');
    return response.as(rollUpSchema).rollupDataPoints[0]![member];
  };
  const heart = { beatsPerMinuteMin: 60, beatsPerMinuteAvg: 62.5, beatsPerMinuteMax: 65 };
  expect(await value('heart-rate', 'heartRate')).toEqual(heart);
  expect(await value('weight', 'weight')).toEqual({ weightGramsAvg: 81_000.5 });
  const drunk = { millilitersSum: 330, userProvidedUnitLast: 'MILLILITER' };
  expect(await value('hydration-log', 'hydrationLog')).toEqual({ amountConsumed: drunk });
});

test('offers the sum of active and basal energy only in roll-ups', async () => {
  await give(
    span('active-energy-burned', '2026-04-02T08:10:00Z', '2026-04-02T08:20:00Z', 50.5),
    span('basal-energy-burned', '2026-04-02T08:00:00Z', '2026-04-02T09:00:00Z', 70),
  );
  const response = await hours('total-calories', '2026-04-02T08:00:00Z', '2026-04-02T09:00:00Z');
  expect(response.as(rollUpSchema).rollupDataPoints[0]!.totalCalories).toEqual({ kcalSum: 120.5 });
  const listed = await client.get('dataTypes/total-calories/dataPoints');
  expect(listed.as(apiFailureSchema).error.details![0]).toMatchObject({
    reason: 'UNSUPPORTED_DATA_TYPE_ACTION',
    metadata: { allowed_actions: 'rollUp,dailyRollUp' },
  });
});

test('allows ranges up to exactly 14 or 90 days', async () => {
  const wide = (dataType: string, to: string, pageSize: number) =>
    hours(dataType, '2026-04-01T00:00:00Z', to, { windowSize: '86400s', pageSize });
  expect((await wide('heart-rate', '2026-04-15T00:00:00Z', 14)).status).toBe(200);
  expect((await wide('steps', '2026-06-30T00:00:00Z', 90)).status).toBe(200);
  const over = await wide('heart-rate', '2026-04-15T00:00:01Z', 14);
  expect(over.as(apiFailureSchema).error.details![0]).toMatchObject({
    reason: 'INVALID_ROLLUP_QUERY_DURATION',
    metadata: { maxDurationDays: '14' },
  });
});

test('limits window size multiplied by page size to the maximum range', async () => {
  const ask = (change: object) => hours('heart-rate', '2026-04-01T00:00:00Z', '2026-04-02T00:00:00Z', change);
  expect((await ask({ pageSize: 336 })).status).toBe(200);
  expect((await ask({ pageSize: 337 })).reason).toBe('INVALID_ROLLUP_QUERY_DURATION');
  expect((await ask({ pageSize: undefined })).status).toBe(400);
  await simulator.control.setBehaviour({ defaultPageSizeCounts: false });
  expect((await ask({ pageSize: undefined })).status).toBe(200);
});

test('returns all windows unless roll-up paging is enabled', async () => {
  for (const hour of ['08', '09', '10']) {
    await give(span('steps', `2026-04-02T${hour}:10:00Z`, `2026-04-02T${hour}:11:00Z`, 5));
  }
  const ask = (change: object) =>
    hours('steps', '2026-04-02T00:00:00Z', '2026-04-03T00:00:00Z', { pageSize: 2, ...change });
  expect((await ask({})).as(rollUpSchema).rollupDataPoints).toHaveLength(3);
  await simulator.control.setBehaviour({ rollUpPages: true });
  const first = (await ask({})).as(rollUpSchema);
  expect(first.rollupDataPoints).toHaveLength(2);
  const second = (await ask({ pageToken: first.nextPageToken })).as(rollUpSchema);
  expect(second.rollupDataPoints.map(({ startTime }) => startTime)).toEqual(['2026-04-02T08:00:00Z']);
  expect(second.nextPageToken).toBeUndefined();
  expect((await ask({ pageToken: first.nextPageToken, windowSize: '60s' })).status).toBe(400);
});

test.each([
  [
    'an end that is not after the start',
    { range: { startTime: '2026-04-02T00:00:00Z', endTime: '2026-04-02T00:00:00Z' } },
  ],
  ['a window under a second', { windowSize: '0.5s' }],
  ['a window that is not a duration', { windowSize: 3600 }],
  ['an unknown member', { windows: 1 }],
  ['an unknown member of the range', { range: { start: '2026-04-02T00:00:00Z' } }],
  ['no time', { range: {} }],
])('rejects a roll-up with %s', async (_what, change) => {
  expect((await hours('steps', '2026-04-02T00:00:00Z', '2026-04-03T00:00:00Z', change)).status).toBe(400);
});

test('uses local days across clock changes', async () => {
  await give(
    // Daylight saving time starts on March 29, so the day ends at 22:00 UTC.
    span('steps', '2026-03-28T23:30:00Z', '2026-03-28T23:31:00Z', 1),
    span('steps', '2026-03-29T21:59:00Z', '2026-03-29T22:00:00Z', 2),
    span('steps', '2026-03-29T22:00:00Z', '2026-03-29T22:01:00Z', 4),
  );
  const response = await days('steps', '2026-03-29', '2026-03-31');
  expect(response.as(rollUpSchema).rollupDataPoints).toEqual([
    {
      civilStartTime: { date: { year: 2026, month: 3, day: 30 }, time: {} },
      civilEndTime: { date: { year: 2026, month: 3, day: 31 }, time: {} },
      steps: { countSum: '4' },
    },
    {
      civilStartTime: { date: { year: 2026, month: 3, day: 29 }, time: {} },
      civilEndTime: { date: { year: 2026, month: 3, day: 30 }, time: {} },
      steps: { countSum: '3' },
    },
  ]);
});

test('excludes or includes the last day as configured', async () => {
  await give(span('steps', '2026-04-02T08:00:00Z', '2026-04-02T08:01:00Z', 9));
  expect((await days('steps', '2026-04-01', '2026-04-02')).body).toEqual({});
  expect((await days('steps', '2026-04-02', '2026-04-02')).status).toBe(400);
  await simulator.control.setBehaviour({ dailyRollUpEnd: 'inclusive' });
  const both = await days('steps', '2026-04-02', '2026-04-02');
  expect(both.as(rollUpSchema).rollupDataPoints).toHaveLength(1);
});

test('accepts only civil date-times at midnight', async () => {
  const bare = { range: { start: { year: 2026, month: 4, day: 2 }, end: { year: 2026, month: 4, day: 3 } } };
  expect((await days('steps', '2026-04-02', '2026-04-03', bare)).status).toBe(400);
  const noon = { range: { start: { ...date('2026-04-02'), time: { hours: 12 } }, end: date('2026-04-03') } };
  expect((await days('steps', '2026-04-02', '2026-04-03', noon)).status).toBe(400);
  const midnight = { range: { start: { ...date('2026-04-02'), time: {} }, end: date('2026-04-03') } };
  expect((await days('steps', '2026-04-02', '2026-04-03', midnight)).status).toBe(200);
  const text =
    '{"range":{"start":{"date":{"year":2026,"month":04,"day":2}},"end":{"date":{"year":2026,"month":4,"day":3}}}}';
  expect((await client.post('dataTypes/steps/dataPoints:dailyRollUp', text)).status).toBe(400);
});

test('requires a page size that covers the daily range', async () => {
  expect((await days('steps', '2026-04-01', '2026-04-08', { pageSize: 6 })).status).toBe(400);
  expect((await days('steps', '2026-04-01', '2026-04-08', { pageSize: 7 })).status).toBe(200);
  expect((await days('total-calories', '2026-04-01', '2026-04-16')).status).toBe(400);
  expect((await days('total-calories', '2026-04-01', '2026-04-15')).status).toBe(200);
});

test.each([
  ['steps', 90],
  ['heart-rate', 14],
])('limits a daily page of %s to %i days', async (dataType, most) => {
  const first = Date.parse('2026-01-01T00:00:00Z');
  const day = (number: number) => new Date(first + number * MS_PER_DAY).toISOString().slice(0, 10);
  const times = Array.from({ length: most + 1 }, (_, number) => `${day(number)}T12:00:00Z`);
  await give(
    ...times.map((startTime): PointInput => {
      const endTime = startTime.replace('12:00', '12:01');
      return dataType === 'steps' ? span(dataType, startTime, endTime, 1) : { dataType, startTime, value: 60 };
    }),
  );
  for (const change of [{}, { pageSize: most }, { pageSize: 10_000 }]) {
    const response = await days(dataType, day(0), day(most), change);
    expect(response.as(rollUpSchema).rollupDataPoints).toHaveLength(most);
    expect(response.body).not.toHaveProperty('nextPageToken');
  }
  expect((await days(dataType, day(0), day(most + 1))).reason).toBe('INVALID_ROLLUP_QUERY_DURATION');
});

test.each(['daily-resting-heart-rate', 'sleep', 'exercise', 'oxygen-saturation', 'heart-rate-variability'])(
  'rejects daily roll-ups of %s',
  async (dataType) => {
    const rejection = await days(dataType, '2026-04-01', '2026-04-02');
    expect(rejection.status).toBe(400);
    expect(rejection.reason).toBe('UNSUPPORTED_DATA_TYPE_ACTION');
  },
);
