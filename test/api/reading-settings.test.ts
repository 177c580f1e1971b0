import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeRecords } from '../support/recorded-user.js';
import { GARMIN, sample, WATCH } from '../support/records.js';
import { type Call, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let developer: Call;
let userId: string;
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
  userId = (await service.call('POST', '/api/v1/users')).body.id;
  const user = await service.users.find(userId);
  await writeRecords(service, user?.userKey ?? 0, [
    sample('steps', '2026-03-10T08:00:00Z', 100),
    sample('steps', '2026-03-10T08:00:00Z', 200, { source: GARMIN }),
    {
      kind: 'sleep_session',
      source: WATCH,
      isNap: false,
      startMs: Date.parse('2026-03-10T00:00:00Z'),
      endMs: Date.parse('2026-03-10T06:00:00Z'),
    },
  ]);
});
afterAll(() => service.stop());

const PRIORITIES = '/api/v1/priorities';
const stepsOf = async () => {
  const range = 'start_date=2026-03-10&end_date=2026-03-11';
  return (await service.call('GET', `/api/v1/users/${userId}/summaries/activity?${range}`)).body.data[0].steps;
};

describe('priorities', () => {
  test('are listed best first for developers only', async () => {
    const { status, body } = await developer('GET', `${PRIORITIES}/providers`);
    expect(status).toBe(200);
    expect(body.items.slice(0, 2)).toEqual([
      expect.objectContaining({ provider: 'apple', priority: 1, id: expect.any(String) }),
      expect.objectContaining({ provider: 'garmin', priority: 2, created_at: expect.stringMatching(/Z$/) }),
    ]);
    expect((await developer('GET', `${PRIORITIES}/device-types`)).body.items[0]).toMatchObject({
      device_type: 'watch',
      priority: 1,
    });
    expect((await service.call('GET', `${PRIORITIES}/providers`)).status).toBe(401);
    expect((await service.call('PUT', `${PRIORITIES}/providers/oura`, { priority: 1 })).status).toBe(401);
  });

  test('apply to the next response after single and combined changes', async () => {
    expect(await stepsOf()).toBe(100);
    expect(await developer('PUT', `${PRIORITIES}/providers/apple`, { priority: 9 })).toMatchObject({
      status: 200,
      body: { provider: 'apple', priority: 9 },
    });
    expect(await stepsOf()).toBe(200);
    const together = await developer('PUT', `${PRIORITIES}/providers`, {
      priorities: [
        { provider: 'apple', priority: 1 },
        { provider: 'garmin', priority: 2 },
      ],
    });
    expect(together.body.items.map((row: { provider: string }) => row.provider).slice(0, 2)).toEqual([
      'apple',
      'garmin',
    ]);
    expect(await stepsOf()).toBe(100);
    const types = await developer('PUT', `${PRIORITIES}/device-types`, {
      priorities: [{ device_type: 'ring', priority: 1 }],
    });
    expect(types.body.items.find((row: { device_type: string }) => row.device_type === 'ring').priority).toBe(1);
    expect((await developer('PUT', `${PRIORITIES}/device-types/ring`, { priority: 3 })).body).toMatchObject({
      device_type: 'ring',
      priority: 3,
    });
  });

  test.each([
    ['providers/Oura', { priority: 1 }, ['path', 'provider'], 'enum'],
    ['providers/unknown', { priority: 1 }, ['path', 'provider'], 'enum'],
    ['device-types/car', { priority: 1 }, ['path', 'device_type'], 'enum'],
    ['providers/oura', { priority: 0 }, ['body', 'priority'], 'greater_than_equal'],
    ['providers/oura', { priority: 101 }, ['body', 'priority'], 'less_than_equal'],
    ['providers/oura', {}, ['body', 'priority'], 'missing'],
    ['providers', { priorities: [{ provider: 'acme', priority: 1 }] }, ['body', 'priorities', 0, 'provider'], 'enum'],
  ])('rejects %s with %j and changes nothing', async (path, body, loc, type) => {
    const before = (await developer('GET', `${PRIORITIES}/providers`)).body;
    const response = await developer('PUT', `${PRIORITIES}/${path}`, body);
    expect(response.status).toBe(422);
    expect(response.body.detail).toEqual([expect.objectContaining({ loc, type })]);
    expect((await developer('GET', `${PRIORITIES}/providers`)).body).toEqual(before);
  });
});

test("returns the dashboard's counts of stored data only to developers", async () => {
  const { status, body } = await developer('GET', '/api/v1/dashboard/stats');
  expect(status).toBe(200);
  expect(body).toEqual({
    total_users: { count: 1 },
    active_conn: { count: 0 },
    data_points: { count: 2, archived: 0 },
    event_records: { count: 1, workouts: 0, sleep: 1, menstrual_cycles: 0 },
    connections_coverage: { users_with_active: 0, users_with_multi_active: 0, top_providers: [] },
  });
  expect((await service.call('GET', '/api/v1/dashboard/stats')).status).toBe(401);
});

test("lists a user's gaps, even for the widest range", async () => {
  const path = `/api/v1/users/${userId}/summaries/data/gaps`;
  const { status, body } = await service.call('GET', path);
  expect(status).toBe(200);
  expect(body.items).toHaveLength(3);
  expect(body.user_id).toBe(userId);
  expect((await service.call('GET', `${path}?start_date=2026-03-12&end_date=2026-03-10`)).status).toBe(422);
  expect((await service.call('GET', `${path}?start_date=1900-01-01&end_date=9999-12-31`)).body.items).toHaveLength(3);
});
