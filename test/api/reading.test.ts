import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeRecords } from '../support/recorded-user.js';
import { sample, samplesEvery } from '../support/records.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await startTestService();
  userId = (await service.call('POST', '/api/v1/users')).body.id;
  const user = await service.users.find(userId);
  await writeRecords(service, user?.userKey ?? 0, [
    ...samplesEvery(
      'heart_rate',
      '2026-03-01T00:00:00Z',
      1,
      Array.from({ length: 3000 }, (_, at) => 60 + (at % 7)),
    ),
    sample('steps', '2026-03-10T08:00:00Z', 9500, { minutes: 60 }),
    sample('steps', '2026-03-11T08:00:00Z', 0.1, { minutes: 60 }),
  ]);
});
afterAll(() => service.stop());

const get = (path: string, id = userId) => service.call('GET', `/api/v1/users/${id}/${path}`);
const WEEK = 'start_date=2026-03-08&end_date=2026-03-15';

describe('every route of a user', () => {
  test.each([
    `summaries/activity?${WEEK}`,
    `summaries/sleep?${WEEK}`,
    'summaries/data',
    'timeseries?start_time=2026-03-08&end_time=2026-03-15&types=steps',
    `timeseries/steps?${WEEK}`,
    `events/workouts?${WEEK}`,
    `events/sleep?${WEEK}`,
    'data-sources',
  ])('requires an API key and a known user for %s', async (path) => {
    expect((await get(path)).status).toBe(200);
    const unknown = '11111111-2222-4333-8444-555555555555';
    expect(await get(path, unknown)).toMatchObject({
      status: 404,
      body: { detail: `User with ID: ${unknown} not found.` },
    });
    expect((await service.anonymous('GET', `/api/v1/users/${userId}/${path}`)).status).toBe(401);
  });
});

test.each([
  ['start_date=1900-01-01&end_date=9999-12-31'],
  ['start_date=1900-01-01&end_date=9999-12-31T23:59:59Z'],
  ['start_date=9999-12-31&end_date=9999-12-31'],
])('accepts the widest ranges: %s', async (range) => {
  for (const path of ['summaries/activity', 'summaries/sleep', 'summaries/data', 'events/workouts', 'events/sleep']) {
    expect((await get(`${path}?${range}`)).status).toBe(200);
  }
  for (const resolution of ['raw', '1min', '1hour']) {
    expect((await get(`timeseries/steps?${range}&resolution=${resolution}`)).status).toBe(200);
  }
});

describe('an invalid request', () => {
  test.each([
    [
      'timeseries',
      [
        ['start_time', 'missing'],
        ['end_time', 'missing'],
        ['types', 'missing'],
      ],
    ],
    [
      'timeseries/steps',
      [
        ['start_date', 'missing'],
        ['end_date', 'missing'],
      ],
    ],
    [
      'summaries/activity',
      [
        ['start_date', 'missing'],
        ['end_date', 'missing'],
      ],
    ],
    ['events/workouts?start_date=2026-03-08', [['end_date', 'missing']]],
    ['events/sleep?start_date=soon&end_date=2026-03-15', [['start_date', 'datetime_parsing']]],
    [`summaries/activity?${WEEK}&limit=0`, [['limit', 'greater_than_equal']]],
    [`summaries/activity?${WEEK}&limit=401`, [['limit', 'less_than_equal']]],
    [`summaries/activity?${WEEK}&sort_order=up`, [['sort_order', 'enum']]],
    [`summaries/activity?${WEEK}&cursor=x`, [['cursor', 'value_error']]],
    ['summaries/activity?start_date=2026-03-11&end_date=2026-03-10', [['end_date', 'value_error']]],
    ['timeseries/steps?start_time=2026-03-11&end_time=2026-03-10', [['end_time', 'value_error']]],
    ['summaries/data?start_date=2026-03-11&end_date=2026-03-10', [['end_date', 'value_error']]],
    [`timeseries/steps?${WEEK}&resolution=2min`, [['resolution', 'enum']]],
  ])('%s names every invalid parameter', async (path, problems) => {
    const { status, body } = await get(path);
    expect(status).toBe(422);
    expect(body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[1], type])).toEqual(problems);
    expect(body.detail.every(({ loc }: { loc: string[] }) => loc[0] === 'query')).toBe(true);
  });

  test('lists the valid types for an unknown type', async () => {
    const { status, body } = await get('timeseries?start_time=2026-03-08&end_time=2026-03-15&types=steps&types=stepz');
    expect(status).toBe(422);
    expect(body.detail).toHaveLength(1);
    expect(body.detail[0]).toMatchObject({ loc: ['query', 'types', 1], type: 'enum', input: 'stepz' });
    expect(body.detail[0].msg).toMatch(/^Input should be 'heart_rate', /);
    expect((await get(`timeseries/stepz?${WEEK}`)).body.detail[0]).toMatchObject({
      loc: ['path', 'series_type'],
      type: 'enum',
    });
  });
});

describe.each(['timeseries?types=steps&', 'timeseries/steps?'])('%s of an unknown user', (path) => {
  const unknown = '11111111-2222-4333-8444-555555555555';

  test.each([
    ['a malformed cursor', 'start_time=2026-03-08&end_time=2026-03-15&cursor=x'],
    ['a reversed range', 'start_time=2026-03-11&end_time=2026-03-10'],
  ])('gets 404 despite %s', async (_, query) => {
    expect((await get(`${path}${query}`)).status).toBe(422);
    expect(await get(`${path}${query}`, unknown)).toMatchObject({
      status: 404,
      body: { detail: `User with ID: ${unknown} not found.` },
    });
  });

  test.each([
    ['a malformed parameter', 'start_time=2026-03-08&end_time=2026-03-15&resolution=2min'],
    ['a missing parameter', 'start_time=2026-03-08'],
  ])('gets 422 because of %s', async (_, query) => {
    expect((await get(`${path}${query}`, unknown)).status).toBe(422);
  });
});

test('returns a large page completely', async () => {
  const { body } = await get('timeseries?start_time=2026-03-01&end_time=2026-03-10&types=heart_rate&limit=10000');
  expect(body.data).toHaveLength(3000);
  expect(body.data[2999]).toMatchObject({ timestamp: '2026-03-03T01:59:00Z', value: 60 + (2999 % 7), unit: 'bpm' });
  expect(body.pagination).toEqual({ next_cursor: null, previous_cursor: null, has_more: false, total_count: 3000 });
});

test('returns every sample once when following next_cursor', async () => {
  const seen: string[] = [];
  let cursor = '';
  for (;;) {
    const path = `timeseries/heart_rate?start_date=2026-03-01&end_date=2026-03-10&limit=700${cursor}`;
    const { body } = await get(path);
    seen.push(...body.data.map(({ timestamp }: { timestamp: string }) => timestamp));
    if (!body.pagination.has_more) break;
    cursor = `&cursor=${encodeURIComponent(body.pagination.next_cursor)}`;
  }
  expect(new Set(seen).size).toBe(3000);
  expect(seen).toEqual([...seen].sort());
});

test('returns the stored values of an activity day', async () => {
  const { body } = await get('summaries/activity?start_date=2026-03-10&end_date=2026-03-11');
  expect(body.data).toEqual([
    expect.objectContaining({ date: '2026-03-10', steps: 9500, total_calories_kcal: null, heart_rate: null }),
  ]);
});

test('requires no credential for coverage', async () => {
  const { status, body } = await service.anonymous('GET', '/api/v1/meta/coverage');
  expect(status).toBe(200);
  expect(body.providers).toContain('apple');
  expect(body.timeseries).toContainEqual(expect.objectContaining({ name: 'Activity - Basic' }));
});
