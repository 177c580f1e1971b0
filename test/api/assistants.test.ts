import { type HealthRecord, MS_PER_MINUTE, type SourceIdentity } from '@healthd/model';
import { declaredRoutes } from '@healthd/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordedUser } from '../support/recorded-user.js';
import { run, sample } from '../support/records.js';
import { type Call, caller, startTestService, type TestService } from '../support/service.js';

/** Figure of a vendor whose terms forbid AI use. Its digits appear nowhere else in a response. */
const ODD = 73_919;
const DEVICE = 'Forbidden One';
const STRAVA: SourceIdentity = { provider: 'strava', account: 'a1', deviceModel: DEVICE, deviceType: 'watch' };
const OURA: SourceIdentity = { provider: 'oura', account: 'o1', deviceModel: 'Oura Ring 4', deviceType: 'ring' };
const PHONE: SourceIdentity = { provider: 'apple', deviceModel: 'iPhone15,2', deviceType: 'phone', writer: 'phone' };
const DAY = '2026-03-10';
const at = (clock: string) => `${DAY}T${clock}:00Z`;

function night(source: SourceIdentity, minutes: number, externalId: string): HealthRecord {
  const endMs = Date.parse(at('06:00'));
  return {
    kind: 'sleep_session',
    source,
    externalId,
    startMs: endMs - minutes * MS_PER_MINUTE,
    endMs,
    offsetMinutes: 0,
    isNap: false,
    asleepSeconds: minutes * 60,
  };
}
const daily = { offsetMinutes: 0, kind: 'daily_total' as const };
const now = new Date().toISOString();
const RECORDS: HealthRecord[] = [
  sample('steps', at('00:00'), ODD, { source: STRAVA, ...daily }),
  sample('energy', at('00:00'), ODD, { source: STRAVA, ...daily }),
  sample('heart_rate', at('08:00'), 139.191, { source: STRAVA, offsetMinutes: 0 }),
  sample('weight', now, 73.919, { source: STRAVA, offsetMinutes: 0 }),
  sample('steps', at('09:00'), 4100, { source: PHONE, minutes: 30, offsetMinutes: 0 }),
  sample('heart_rate', at('08:05'), 61, { source: PHONE, offsetMinutes: 0 }),
  run({
    source: STRAVA,
    externalId: 's1',
    distanceMeters: ODD,
    name: DEVICE,
    startMs: Date.parse(at('17:00')),
    endMs: Date.parse(at('18:00')),
  }),
  run({
    source: OURA,
    externalId: 'r1',
    distanceMeters: 9_990,
    startMs: Date.parse(at('17:01')),
    endMs: Date.parse(at('18:00')),
  }),
  night(STRAVA, 451, 'n1'),
  night(OURA, 450, 'n2'),
  sample('resting_heart_rate', at('06:00'), 51, { source: OURA, ...daily }),
  sample('heart_rate_variability_rmssd', at('03:00'), 73.919, { source: STRAVA, offsetMinutes: 0 }),
  {
    kind: 'health_score',
    source: STRAVA,
    category: 'recovery',
    value: 73,
    atMs: Date.parse(at('06:00')),
    offsetMinutes: 0,
    externalId: 'h1',
  },
  {
    kind: 'menstrual_cycle',
    source: STRAVA,
    externalId: 'c1',
    startMs: Date.parse(at('00:00')),
    endMs: Date.parse('2026-04-07T00:00:00Z'),
    offsetMinutes: 0,
    details: { cycle_length: ODD },
  } as HealthRecord,
];

let service: TestService;
let developer: Call;
let assistant: Call;
let userId: string;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
  const { body } = await developer('POST', '/api/v1/developer/api-keys', { name: 'AI', scopes: ['assistant'] });
  assistant = caller(service, { [service.gate.apiKeyHeader]: body.key });
  ({ id: userId } = await recordedUser(service, ...RECORDS));
  // With this priority the forbidden vendor wins all groups of the summaries.
  const priorities = [{ provider: 'strava', priority: 1 }];
  await developer('PUT', '/api/v1/priorities/providers', { priorities });
  for (const [name, path] of [
    ['workout', 'workouts'],
    ['sleep', 'sleep'],
  ] as const) {
    const list = await service.call('GET', `${user()}/events/${path}?${RANGE}`);
    const own = list.body.data?.find((one: { source: { provider: string } }) => one.source.provider === 'strava');
    ids[name] = own?.id;
  }
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.pool.query('delete from provider_setting');
  service.parts.connections.terms.forget();
});

const RANGE = `start_date=2026-03-09&end_date=2026-03-12`;
const user = () => `/api/v1/users/${userId}`;
const TYPES = 'types=steps&types=heart_rate&types=weight&types=energy';

/** Calls of the routes that assistants may use, by route ID. A new route needs a call here. */
const CALLS: Readonly<Record<string, () => string>> = {
  getUser: user,
  listUsers: () => '/api/v1/users?limit=10',
  getActivitySummary: () => `${user()}/summaries/activity?${RANGE}`,
  explainActivitySummary: () => `${user()}/summaries/activity/explain?date=${DAY}`,
  explainSleepSummary: () => `${user()}/summaries/sleep/explain?date=${DAY}`,
  explainRecoverySummary: () => `${user()}/summaries/recovery/explain?date=${DAY}`,
  explainBodySummary: () => `${user()}/summaries/body/explain`,
  getSleepSummary: () => `${user()}/summaries/sleep?${RANGE}`,
  getRecoverySummary: () => `${user()}/summaries/recovery?${RANGE}`,
  getBodySummary: () => `${user()}/summaries/body`,
  getTimeseries: () => `${user()}/timeseries?${RANGE}&${TYPES}`,
  getSingleTimeseries: () => `${user()}/timeseries/steps?${RANGE}&limit=5000`,
  listWorkouts: () => `${user()}/events/workouts?${RANGE}`,
  getWorkout: () => `${user()}/events/workouts/${ids.workout}`,
  getWorkoutRoute: () => `${user()}/events/workouts/${ids.workout}/route`,
  listSleepSessions: () => `${user()}/events/sleep?${RANGE}`,
  getSleepSession: () => `${user()}/events/sleep/${ids.sleep}`,
  listMenstrualCycles: () => `${user()}/events/menstrual-cycles?${RANGE}`,
  listHealthScores: () => `${user()}/health-scores?${RANGE}`,
  listDataSources: () => `${user()}/data-sources`,
  diagnoseUser: () => `${user()}/diagnosis`,
  getProvider: () => '/api/v1/oauth/providers/strava',
  listProviderTerms: () => '/api/v1/providers/terms',
};
const ROUTES = declaredRoutes.filter(({ forAssistants }) => forAssistants).map(({ id }) => id);

test('marks only GET routes for assistants', () => {
  expect(declaredRoutes.filter(({ forAssistants, method }) => forAssistants && method !== 'GET')).toEqual([]);
  expect(ROUTES.sort()).toEqual(Object.keys(CALLS).sort());
});

const leaks = (body: unknown) => {
  const text = JSON.stringify(body);
  return [String(ODD), '73.919', '139.191', DEVICE].filter((secret) => text.includes(secret));
};

describe.each([
  ['a key for assistants', () => assistant],
  [
    'a developer with the header X-Client: assistant',
    (): Call => (method, path) => developer(method, path, undefined, { 'X-Client': 'assistant' }),
  ],
])('%s', (_name, calls) => {
  test.each(ROUTES)('cannot read vendors that forbid AI use in %s', async (id) => {
    const { status, body } = await calls()('GET', CALLS[id]!());
    expect(leaks(body)).toEqual([]);
    expect(status).toBe(['getWorkout', 'getWorkoutRoute', 'getSleepSession'].includes(id) ? 403 : 200);
  });
});

test('shows all data without the assistant header and scope', async () => {
  const all = await Promise.all(ROUTES.map((id) => service.call('GET', CALLS[id]!())));
  expect(all.filter(({ body }) => leaks(body).length > 0).length).toBeGreaterThanOrEqual(9);
  expect(all.filter(({ body }) => body?.withheld ?? body?.metadata?.withheld)).toEqual([]);
});

const figures = async (call: Call, id: string) => (await call('GET', CALLS[id]!())).body;

test('sets the figures, not the name, of a withheld provider to null', async () => {
  const { data, metadata } = await figures(assistant, 'getActivitySummary');
  const shown = await figures(service.call, 'getActivitySummary');
  expect(shown.data[0]).toMatchObject({ steps: ODD, source: { provider: 'strava', device: DEVICE } });
  expect(data[0]).toMatchObject({
    date: DAY,
    steps: null,
    active_calories_kcal: null,
    heart_rate: null,
    source: { provider: 'strava', device: null },
    withheld: ['strava'],
  });
  expect(metadata.withheld).toEqual(['strava']);
  const sleep = await figures(assistant, 'getSleepSummary');
  expect(sleep.data[0]).toMatchObject({ duration_minutes: null, start_time: null, sessions: [], withheld: ['strava'] });
});

test("keeps other providers' figures in the same row", async () => {
  const { data } = await figures(assistant, 'getRecoverySummary');
  expect(data[0]).toMatchObject({ resting_heart_rate_bpm: 51, avg_hrv_rmssd_ms: null, withheld: ['strava'] });
});

test('selects among the visible copies in lists', async () => {
  const workouts = await figures(assistant, 'listWorkouts');
  expect(workouts.data.map((one: { source: { provider: string } }) => one.source.provider)).toEqual(['oura']);
  expect(workouts.pagination.total_count).toBe(1);
  expect(workouts.metadata.withheld).toEqual(['strava']);
  const once = await service.call('GET', `${CALLS.listWorkouts!()}&filter_by_priority=true`);
  expect(once.body.data.map((one: { source: { provider: string } }) => one.source.provider)).toEqual(['strava']);
  const shown = await assistant('GET', `${CALLS.listWorkouts!()}&filter_by_priority=true`);
  expect(shown.body.data.map((one: { source: { provider: string } }) => one.source.provider)).toEqual(['oura']);
  const best = await assistant('GET', `${CALLS.listSleepSessions!()}&filter_by_priority=true`);
  expect(best.body.data.map((one: { source: { provider: string } }) => one.source.provider)).toEqual(['oura']);
});

test('shows the data immediately if an override allows AI use', async () => {
  await developer('PATCH', '/api/v1/providers/strava/settings', {
    terms: { assistants: { value: 'allow', reason: 'Written permission' } },
  });
  expect((await figures(assistant, 'getActivitySummary')).data[0]).toMatchObject({ steps: ODD });
  expect((await assistant('GET', CALLS.getWorkout!())).status).toBe(200);
});

test("withholds a vendor's data if only an override forbids AI use", async () => {
  await developer('PATCH', '/api/v1/providers/oura/settings', {
    terms: { assistants: { value: 'deny', reason: 'Our own rule' } },
  });
  expect((await figures(assistant, 'listWorkouts')).data).toEqual([]);
});

test('hides a provider from all summaries after the combine term is accepted', async () => {
  const settings = '/api/v1/providers/strava/settings';
  expect((await figures(service.call, 'getActivitySummary')).data[0].steps).toBe(ODD);
  await developer('PATCH', settings, { terms: { combine: { answer: 'declined' } } });
  expect((await figures(service.call, 'getActivitySummary')).data[0].steps).toBe(ODD);
  await developer('PATCH', settings, { terms: { combine: { answer: 'accepted' } } });
  expect((await figures(service.call, 'getActivitySummary')).data[0]).toMatchObject({
    steps: null,
    withheld: ['strava'],
  });
  expect((await figures(service.call, 'getBodySummary')).slow_changing.weight_kg).toBeNull();
  for (const route of ['Activity', 'Sleep', 'Recovery', 'Body']) {
    const explained = await figures(service.call, `explain${route}Summary`);
    expect([route, leaks(explained), explained.withheld]).toEqual([route, [], ['strava']]);
  }
  const change = { providers: [{ provider: 'strava', priority: 50 }] };
  const preview = await developer('POST', `${user()}/priorities/preview?${RANGE}`, change);
  const [night] = preview.body.nights;
  expect(night.before).toMatchObject({ duration_minutes: null, withheld: ['strava'] });
  expect(night.after.source.provider).toBe('oura');
  expect(leaks(preview.body)).toEqual([]);
  expect((await figures(service.call, 'listWorkouts')).data).toHaveLength(2);
  const stored = await service.pool.query('select 1 from workout');
  expect(stored.rowCount).toBe(2);
});

test("includes the vendors' required attribution in responses", async () => {
  const expected = [{ provider: 'strava', text: 'Powered by Strava' }];
  for (const id of ['getActivitySummary', 'getTimeseries', 'listWorkouts', 'listHealthScores'] as const) {
    expect([id, (await figures(service.call, id)).metadata.attribution]).toEqual([id, expected]);
  }
  const long = await service.call('GET', `${CALLS.getTimeseries!()}&limit=5000`);
  expect(long.body.metadata.attribution).toEqual(expected);
  expect((await figures(service.call, 'getWorkout')).attribution).toEqual(expected);
  expect((await figures(service.call, 'getBodySummary')).attribution).toEqual(expected);
  expect((await figures(assistant, 'listWorkouts')).metadata.attribution).toBeUndefined();
});

test('rejects other scopes on a key for assistants', async () => {
  const { status } = await developer('POST', '/api/v1/developer/api-keys', { scopes: ['assistant', 'write'] });
  expect(status).toBe(422);
});
