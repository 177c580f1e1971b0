import { type HealthRecord, MS_PER_DAY } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeRecords } from '../support/recorded-user.js';
import { sample, WATCH } from '../support/records.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let userId: string;
const at = (time: string) => Date.parse(`2026-03-10T${time}Z`);

beforeAll(async () => {
  service = await startTestService();
  userId = (await service.call('POST', '/api/v1/users')).body.id;
  const user = await service.users.find(userId);
  const events: HealthRecord[] = [
    {
      kind: 'workout',
      source: WATCH,
      type: 'hiking',
      startMs: at('08:00'),
      endMs: at('09:00'),
      elevationGainMeters: 90,
    },
    { kind: 'sleep_session', source: WATCH, startMs: at('00:00'), endMs: at('06:00'), isNap: false },
    { kind: 'menstrual_cycle', source: WATCH, startMs: at('00:00'), endMs: at('00:00') + 28 * MS_PER_DAY, details: {} },
    { kind: 'health_score', source: WATCH, category: 'sleep', atMs: at('06:00'), value: 80 },
    sample('steps', '2026-03-10T08:00:00Z', 5000, { minutes: 60 }),
    sample('heart_rate', '2026-03-10T03:00:00Z', 50),
    sample('heart_rate_variability_sdnn', '2026-03-10T03:00:00Z', 60),
  ];
  await writeRecords(service, user?.userKey ?? 0, events);
});
afterAll(() => service.stop());

const path = (rest: string, id = userId) => `/api/v1/users/${id}/${rest}`;
const get = (rest: string) => service.call('GET', path(rest));
const WEEK = 'start_date=2026-03-08&end_date=2026-03-15';

test.each([
  [`summaries/recovery?${WEEK}`],
  ['summaries/body'],
  [`events/menstrual-cycles?${WEEK}`],
  ['health-scores'],
  ['health-scores?category=sleep&provider=apple&limit=1000&offset=0'],
  [`events/workouts?${WEEK}&include_duplicates=true`],
])('requires an API key and a known user for %s', async (rest) => {
  expect((await get(rest)).status).toBe(200);
  expect(await service.call('GET', path(rest, unknown))).toMatchObject({
    status: 404,
    body: { detail: `User with ID: ${unknown} not found.` },
  });
  expect((await service.anonymous('GET', path(rest))).status).toBe(401);
});

test('returns JSON null for a user without body data', async () => {
  const other = (await service.call('POST', '/api/v1/users')).body.id;
  const response = await service.call('GET', path('summaries/body', other));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(response.body).toBeNull();
});

test.each([['start_date=1900-01-01&end_date=9999-12-31'], ['start_date=9999-12-31&end_date=9999-12-31T23:59:59Z']])(
  'accepts the widest ranges: %s',
  async (range) => {
    for (const rest of ['summaries/recovery', 'events/menstrual-cycles', 'health-scores']) {
      expect((await get(`${rest}?${range}`)).status).toBe(200);
    }
  },
);

test.each([
  [`summaries/recovery?${WEEK}&limit=101`, 'limit', 'less_than_equal'],
  ['summaries/recovery?start_date=2026-03-08', 'end_date', 'missing'],
  [`summaries/recovery?${WEEK}&cursor=x`, 'cursor', 'value_error'],
  ['summaries/body?average_period=8', 'average_period', 'less_than_equal'],
  ['summaries/body?latest_window_hours=0', 'latest_window_hours', 'greater_than_equal'],
  ['health-scores?category=mood', 'category', 'enum'],
  ['health-scores?provider=Apple', 'provider', 'enum'],
  ['health-scores?limit=1001', 'limit', 'less_than_equal'],
  ['health-scores?start_date=2026-03-09&end_date=2026-03-08', 'end_date', 'value_error'],
  ['events/workouts/none', 'workout_id', 'uuid_parsing'],
])('rejects %s for %s', async (rest, name, type) => {
  const { status, body } = await get(rest);
  expect(status).toBe(422);
  expect(body.detail).toEqual([expect.objectContaining({ loc: [expect.any(String), name], type })]);
});

const idOf = async (list: string) => (await get(`${list}?${WEEK}`)).body.data[0].id as string;
const unknown = '11111111-2222-4333-8444-555555555555';

test.each([
  ['events/workouts', 'Workout not found'],
  ['events/sleep', 'Sleep session not found'],
])("shows an event by ID with its source's samples: %s", async (list, missing) => {
  const id = await idOf(list);
  expect((await get(`${list}/${id}`)).body).toMatchObject({ id, samples: expect.any(Array) });
  expect(await get(`${list}/${unknown}`)).toMatchObject({ status: 404, body: { detail: missing } });
});

describe.each([
  ['events/workouts', 'Workout not found'],
  ['events/sleep', 'Sleep session not found'],
  ['events/menstrual-cycles', 'Menstrual cycle record not found'],
])('%s', (list, missing) => {
  test('deletes an event exactly once, only with write permission', async () => {
    const id = await idOf(list);
    const { call } = await service.logIn();
    const key = await call('POST', '/api/v1/developer/api-keys', { name: 'reader', scopes: ['read'] });
    const reader = { [service.gate.apiKeyHeader]: key.body.key };
    expect((await service.anonymous('DELETE', path(`${list}/${id}`), undefined, reader)).status).toBe(403);
    expect(await service.call('DELETE', path(`${list}/${unknown}`))).toMatchObject({
      status: 404,
      body: { detail: missing },
    });
    const stranger = (await service.call('POST', '/api/v1/users')).body.id;
    expect((await service.call('DELETE', path(`${list}/${id}`, stranger))).status).toBe(404);
    expect(await service.call('DELETE', path(`${list}/${id}`))).toMatchObject({ status: 204, body: '' });
    expect((await call('DELETE', path(`${list}/${id}`))).status).toBe(404);
    expect((await get(`${list}?${WEEK}`)).body.data).toEqual([]);
    const { rows } = await service.pool.query(
      `select outcome from audit_event where action = 'delete' and user_id = $1 and actor_type = 'api_key'
         and route ilike 'delete%' and outcome = 'success'`,
      [userId],
    );
    expect(rows.length).toBeGreaterThan(0);
  });
});

test('omits a deleted event from all summaries', async () => {
  expect((await get(`summaries/activity?${WEEK}`)).body.data[0]).toMatchObject({ steps: 5000, elevation_meters: null });
  expect((await get(`summaries/sleep?${WEEK}`)).body.data).toEqual([]);
  // Without the night, its readings belong to the date.
  expect((await get(`summaries/recovery?${WEEK}`)).body.data[0]).toMatchObject({
    sleep_duration_seconds: null,
    avg_hrv_sdnn_ms: 60,
  });
});
