import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  apiFailureSchema,
  pointPageSchema,
  pointsSchema,
  sleepPointSchema,
  stepsPointSchema,
  weightPointSchema,
} from './response-schemas.js';
import { ConsentedClient } from './consented-client.js';
import type { PointInput } from './point-types.js';
import type { GoogleSimulator } from './simulator.js';
import { startGoogleSimulator } from './start.js';

let simulator: GoogleSimulator;
let client: ConsentedClient;
beforeAll(async () => {
  simulator = await startGoogleSimulator({ autoConsent: true, quota: { perUser: 10_000 } });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.addAccount({ id: 'anna' });
  client = await ConsentedClient.connect(simulator, 'anna');
});

const STEPS = 'dataTypes/steps/dataPoints';

function minutes(count: number, value = 60): PointInput[] {
  const first = Date.parse('2026-04-02T08:00:00Z');
  return Array.from({ length: count }, (_, n) => ({
    dataType: 'steps',
    startTime: new Date(first + n * MS_PER_MINUTE).toISOString(),
    endTime: new Date(first + (n + 1) * MS_PER_MINUTE).toISOString(),
    value: value + n,
  }));
}

async function give(...points: PointInput[]): Promise<void> {
  await simulator.control.addPoints('anna', points);
}

async function firstSteps() {
  return (await client.get(STEPS)).as(pointsSchema(stepsPointSchema)).dataPoints[0]!;
}

test('lists points with source, offsets, civil times and integer strings', async () => {
  await give(minutes(1)[0]!);
  const { body } = await client.get(STEPS);
  expect(body).toEqual({
    dataPoints: [
      {
        dataSource: {
          recordingMethod: 'PASSIVELY_MEASURED',
          platform: 'FITBIT',
          device: { displayName: 'Tracker Nova' },
        },
        steps: {
          interval: {
            startTime: '2026-04-02T08:00:00Z',
            startUtcOffset: '7200s',
            endTime: '2026-04-02T08:01:00Z',
            endUtcOffset: '7200s',
            civilStartTime: { date: { year: 2026, month: 4, day: 2 }, time: { hours: 10 } },
            civilEndTime: { date: { year: 2026, month: 4, day: 2 }, time: { hours: 10, minutes: 1 } },
          },
          count: '60',
        },
      },
    ],
  });
});

test('writes midnight as an empty time object', async () => {
  await give({ ...minutes(1)[0]!, startTime: '2026-04-01T22:00:00Z' });
  const { steps } = await firstSteps();
  expect(steps.interval.civilStartTime).toEqual({
    date: { year: 2026, month: 4, day: 2 },
    time: {},
  });
});

test('writes a zero as an interval without a value', async () => {
  await give(minutes(1, 0)[0]!);
  const { steps } = await firstSteps();
  expect(Object.keys(steps)).toEqual(['interval']);
});

test('omits sleep’s default values except latencies', async () => {
  await give({
    dataType: 'sleep',
    startTime: '2026-04-01T22:00:00Z',
    endTime: '2026-04-02T05:00:00Z',
    value: {
      type: 'STAGES',
      stages: [],
      metadata: { nap: false, processed: true },
      summary: { minutesAsleep: 420, minutesAwake: 0, minutesToFallAsleep: 0 },
    },
  });
  const nights = await client.get('dataTypes/sleep/dataPoints');
  const { interval, ...rest } = nights.as(pointsSchema(sleepPointSchema)).dataPoints[0]!.sleep;
  expect(rest).toEqual({
    type: 'STAGES',
    metadata: { processed: true },
    summary: { minutesAsleep: '420', minutesToFallAsleep: '0' },
  });
  expect(interval.civilStartTime).toBeUndefined();
});

test('omits an unknown offset', async () => {
  await give({ ...minutes(1)[0]!, utcOffsetSeconds: null });
  const { steps } = await firstSteps();
  expect(steps.interval.startUtcOffset).toBeUndefined();
});

test('returns reconciled points with `dataPointName`, without sources', async () => {
  await give({ dataType: 'weight', id: '6120047', startTime: '2026-04-02T05:10:44.250Z', value: 81240.5 });
  const { healthUserId } = (await simulator.control.accounts())[0]!;
  const name = `users/${healthUserId}/dataTypes/weight/dataPoints/6120047`;
  const first = async (path: string) => (await client.get(path)).as(pointsSchema(weightPointSchema)).dataPoints[0]!;
  const listed = await first('dataTypes/weight/dataPoints');
  expect(listed).toMatchObject({ name, dataSource: { platform: 'FITBIT' }, weight: { weightGrams: 81240.5 } });
  expect(listed.weight.sampleTime.civilTime.time).toEqual({ hours: 7, minutes: 10, seconds: 44, nanos: 250_000_000 });
  const merged = await first('dataTypes/weight/dataPoints:reconcile');
  expect(merged).toEqual({ dataPointName: name, weight: listed.weight });
  expect((await client.get('dataTypes/weight/dataPoints/6120047')).body).toEqual(listed);
  expect((await client.get('dataTypes/weight/dataPoints/1')).status).toBe(404);
});

test('lists every point once across pages, newest first', async () => {
  await give(...minutes(25));
  const pages = await client.pages(STEPS, { pageSize: '10' });
  expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
  const counts = pages.flat().map((point) => Number(stepsPointSchema.parse(point).steps.count));
  expect(counts).toEqual(Array.from({ length: 25 }, (_, n) => 84 - n));
});

test('rejects another request’s page token', async () => {
  await give(...minutes(25));
  const filter = 'steps.interval.start_time >= "2026-04-02T08:00:00Z"';
  const pageToken = (await client.get(STEPS, { pageSize: '10', filter })).as(pointPageSchema).nextPageToken!;
  expect((await client.get(STEPS, { pageSize: '10', filter, pageToken })).status).toBe(200);
  expect((await client.get(STEPS, { page_size: '10', filter, page_token: pageToken })).status).toBe(200);
  expect((await client.get(STEPS, { pageSize: '10', pageToken })).status).toBe(400);
  expect((await client.get(STEPS, { pageSize: '11', filter, pageToken })).status).toBe(400);
  expect((await client.get(`${STEPS}:reconcile`, { pageSize: '10', filter, pageToken })).status).toBe(400);
  expect((await client.get(STEPS, { pageSize: '10', filter, pageToken: 'made-up' })).status).toBe(400);
});

test('keeps page boundaries when a point is added', async () => {
  await give(...minutes(4));
  const pageToken = (await client.get(STEPS, { pageSize: '2' })).as(pointPageSchema).nextPageToken!;
  await give({ ...minutes(1)[0]!, startTime: '2026-04-02T12:00:00Z', endTime: '2026-04-02T12:01:00Z' });
  const second = await client.get(STEPS, { pageSize: '2', pageToken });
  expect(second.as(pointsSchema(stepsPointSchema)).dataPoints.map(({ steps }) => steps.count)).toEqual(['61', '60']);
});

test('limits sleep pages to 25 items', async () => {
  const nights = Array.from({ length: 30 }, (_, n) => ({
    dataType: 'sleep',
    startTime: new Date(Date.parse('2026-03-01T22:00:00Z') + n * MS_PER_DAY).toISOString(),
    endTime: new Date(Date.parse('2026-03-02T05:00:00Z') + n * MS_PER_DAY).toISOString(),
    value: { type: 'CLASSIC' },
  }));
  await give(...nights);
  const pages = await client.pages('dataTypes/sleep/dataPoints', { pageSize: '1000' });
  expect(pages.map(({ length }) => length)).toEqual([25, 5]);
});

test('limits pages of steps to 1,440 items by default, 10,000 at most', async () => {
  await give(...minutes(10_050));
  expect((await client.pages(STEPS)).map(({ length }) => length)[0]).toBe(1440);
  expect((await client.pages(STEPS, { pageSize: '50000' })).map(({ length }) => length)).toEqual([10_000, 50]);
});

test('returns empty pages in all three formats', async () => {
  expect((await client.get(STEPS)).body).toEqual({});
  await simulator.control.setBehaviour({ emptyPage: 'list' });
  expect((await client.get(STEPS)).body).toEqual({ dataPoints: [] });
  await simulator.control.setBehaviour({ emptyPage: 'token' });
  expect((await client.get(STEPS)).body).toEqual({ dataPoints: [], nextPageToken: '' });
});

test('rejects an unknown query parameter', async () => {
  const rejection = await client.get(STEPS, { startTime: '2026-04-02T00:00:00Z' });
  expect(rejection.status).toBe(400);
  expect(rejection.as(apiFailureSchema).error.message).toContain('Unknown name "startTime"');
  expect((await client.get(STEPS, { prettyPrint: 'false', alt: 'json' })).status).toBe(200);
});

test('filters by the full name of a source family', async () => {
  await give(minutes(1)[0]!, { ...minutes(1)[0]!, source: 'phone' }, { ...minutes(1)[0]!, source: 'manual' });
  const count = async (family: string) => {
    const page = await client.get(STEPS, { dataSourceFamily: `users/me/dataSourceFamilies/${family}` });
    return page.as(pointPageSchema).dataPoints?.length ?? 0;
  };
  expect([await count('all-sources'), await count('google-wearables'), await count('self-sources')]).toEqual([3, 1, 0]);
  const short = await client.get(STEPS, { dataSourceFamily: 'google-wearables' });
  expect(short.reason).toBe('INVALID_DATA_POINT_DATA_SOURCE_FAMILY');
  const dataSourceFamily = 'users/me/dataSourceFamilies/all-sources';
  expect((await client.get('dataTypes/sleep/dataPoints', { dataSourceFamily })).status).toBe(400);
});

test('rejects only the documented sleep filter if configured', async () => {
  await simulator.control.setBehaviour({ sleepEndFilter: 'refused' });
  const filter = 'sleep.interval.end_time >= "2026-04-02T00:00:00Z"';
  expect((await client.get('dataTypes/sleep/dataPoints', { filter })).status).toBe(400);
  expect((await client.get('dataTypes/sleep/dataPoints')).status).toBe(200);
});
