import type { HealthRecord, SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedUser } from '../support/recorded-user.js';
import { GARMIN, sample, sleepStage, WATCH } from '../support/records.js';
import { type Call, startTestService, type TestService } from '../support/service.js';

const RING = { provider: 'oura', writer: 'Oura', deviceType: 'ring' } as const;
const PHONE = { provider: 'apple', writer: 'Phone', deviceType: 'phone' } as const;
const DAYS = ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13'];
const RANGE = `start_date=${DAYS[0]}&end_date=2026-03-14&limit=100`;

let service: TestService;
let developer: Call;
const users: string[] = [];
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
  const add = async (...records: Parameters<typeof recordedUser>[1][]) => {
    users.push((await recordedUser(service, ...records)).id);
  };
  await add(
    sample('steps', `${DAYS[0]}T08:00:00Z`, 100, { source: WATCH }),
    sample('steps', `${DAYS[0]}T08:00:00Z`, 200, { source: GARMIN }),
    sample('steps', `${DAYS[0]}T09:00:00Z`, 20, { source: GARMIN }),
    sample('heart_rate', `${DAYS[1]}T08:00:00Z`, 61, { source: WATCH }),
    sample('heart_rate', `${DAYS[1]}T08:00:00Z`, 62, { source: GARMIN }),
    // Only the winner has steps, which are the lead figure. The other source has only floors and cannot win.
    sample('steps', `${DAYS[2]}T08:00:00Z`, 100, { source: WATCH }),
    sample('flights_climbed', `${DAYS[2]}T08:00:00Z`, 3, { source: GARMIN }),
  );
  await add(
    sample('energy', `${DAYS[3]}T08:00:00Z`, 30, { source: RING }),
    sample('energy', `${DAYS[3]}T08:00:00Z`, 40, { source: GARMIN }),
    sample('steps', `${DAYS[3]}T08:00:00Z`, 10, { source: WATCH }),
    sample('steps', `${DAYS[3]}T08:00:00Z`, 20, { source: PHONE }),
  );
  // Three nights: the first by watch and Garmin, the second by watch and phone, the third by the ring only.
  await add(
    sleepStage('light', `${DAYS[0]}T23:00:00Z`, `${DAYS[1]}T05:00:00Z`, { source: WATCH }),
    sleepStage('light', `${DAYS[0]}T23:30:00Z`, `${DAYS[1]}T06:00:00Z`, { source: GARMIN }),
    sleepStage('light', `${DAYS[1]}T22:00:00Z`, `${DAYS[2]}T05:00:00Z`, { source: WATCH }),
    sleepStage('light', `${DAYS[1]}T23:00:00Z`, `${DAYS[2]}T04:00:00Z`, { source: PHONE }),
    sleepStage('light', `${DAYS[2]}T23:00:00Z`, `${DAYS[3]}T04:00:00Z`, { source: RING }),
  );
  await add(sample('steps', `${DAYS[0]}T08:00:00Z`, 5, { source: GARMIN }));
});
afterAll(() => service.stop());

const preview = async (body: object) => (await developer('POST', '/api/v1/priorities/preview', body)).body;

/** Returns all users' daily figures that depend on priorities, by user and date. */
async function shownDays(): Promise<Map<string, string>> {
  const shown = new Map<string, string>();
  for (const user of users) {
    const { body } = await service.call('GET', `/api/v1/users/${user}/summaries/activity?${RANGE}`);
    for (const { date, steps, active_calories_kcal, heart_rate } of body.data) {
      shown.set(`${user} ${date}`, JSON.stringify([steps, active_calories_kcal, heart_rate?.avg_bpm]));
    }
  }
  return shown;
}

/** Returns the sleep times of all users. */
async function shownNights(): Promise<Map<string, string>> {
  const shown = new Map<string, string>();
  for (const user of users) {
    const { body } = await service.call('GET', `/api/v1/users/${user}/summaries/sleep?${RANGE}`);
    for (const { date, start_time, end_time } of body.data) shown.set(`${user} ${date}`, `${start_time} ${end_time}`);
  }
  return shown;
}

/** Returns the users and dates whose summaries differ. */
function changedIn(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...after.keys()].filter((day) => after.get(day) !== before.get(day));
}

const CHANGES = [
  {
    providers: [
      { provider: 'garmin', priority: 1 },
      { provider: 'apple', priority: 50 },
    ],
  },
  { providers: [{ provider: 'oura', priority: 1 }] },
  {
    device_types: [
      { device_type: 'phone', priority: 1 },
      { device_type: 'watch', priority: 9 },
    ],
  },
  {
    providers: [{ provider: 'garmin', priority: 99 }],
    device_types: [{ device_type: 'ring', priority: 1 }],
  },
];

test.each(CHANGES)('counts days and nights that would change their source: %j', async (change) => {
  const [providersBefore, typesBefore] = await Promise.all([
    developer('GET', '/api/v1/priorities/providers'),
    developer('GET', '/api/v1/priorities/device-types'),
  ]);
  const [before, nightsBefore] = [await shownDays(), await shownNights()];
  const previewed = await preview(change);
  expect(await shownDays()).toEqual(before);
  const set = (providers: unknown, deviceTypes: unknown) =>
    Promise.all([
      developer('PUT', '/api/v1/priorities/providers', { priorities: providers }),
      developer('PUT', '/api/v1/priorities/device-types', { priorities: deviceTypes }),
    ]);
  await set(change.providers ?? [], change.device_types ?? []);
  const days = changedIn(before, await shownDays());
  const nights = changedIn(nightsBefore, await shownNights());
  expect(previewed).toMatchObject({
    days: days.length,
    nights: nights.length,
    users: new Set([...days, ...nights].map((day) => day.split(' ')[0])).size,
  });
  expect(days.length).toBeGreaterThan(0);
  const rank = ({ priority, ...row }: Record<string, unknown>) => ({
    ...('provider' in row ? { provider: row.provider } : { device_type: row.device_type }),
    priority,
  });
  await set(providersBefore.body.items.map(rank), typesBefore.body.items.map(rank));
});

test.each(CHANGES)('lists the changed summary rows of one user: %j', async (change) => {
  const rows = async (user: string, summary: string) =>
    (await service.call('GET', `/api/v1/users/${user}/summaries/${summary}?${RANGE}`)).body.data;
  const [providersBefore, typesBefore] = await Promise.all([
    developer('GET', '/api/v1/priorities/providers'),
    developer('GET', '/api/v1/priorities/device-types'),
  ]);
  const range = `start_date=${DAYS[0]}&end_date=2026-03-14`;
  const previews = await Promise.all(
    users.map(async (user) => {
      const path = `/api/v1/users/${user}/priorities/preview?${range}`;
      const [days, nights] = [await rows(user, 'activity'), await rows(user, 'sleep')];
      return { user, days, nights, preview: (await developer('POST', path, change)).body };
    }),
  );
  for (const { user, days } of previews) expect(await rows(user, 'activity')).toEqual(days);
  await developer('PUT', '/api/v1/priorities/providers', { priorities: change.providers ?? [] });
  await developer('PUT', '/api/v1/priorities/device-types', { priorities: change.device_types ?? [] });
  type Row = { date: string };
  const changed = (before: Row[], after: Row[]) =>
    before.flatMap((row, at) =>
      JSON.stringify(row) === JSON.stringify(after[at]) ? [] : [{ date: row.date, before: row, after: after[at] }],
    );
  for (const { user, days, nights, preview: response } of previews) {
    expect(response).toEqual({
      days_compared: days.length,
      nights_compared: nights.length,
      days: changed(days, await rows(user, 'activity')),
      nights: changed(nights, await rows(user, 'sleep')),
      recoveries_compared: 0,
      recoveries: [],
      body: null,
    });
  }
  expect(previews.some(({ preview: { days, nights } }) => days.length + nights.length > 0)).toBe(true);
  const rank = ({ priority, provider, device_type }: Record<string, unknown>) => ({
    priority,
    provider,
    device_type,
  });
  const stored = ({ body }: { body: { items: Record<string, unknown>[] } }) => ({ priorities: body.items.map(rank) });
  await developer('PUT', '/api/v1/priorities/providers', stored(providersBefore));
  await developer('PUT', '/api/v1/priorities/device-types', stored(typesBefore));
});

test('shows a sleep that would move to another date', async () => {
  const night = (source: SourceIdentity, offsetMinutes: number): HealthRecord => ({
    kind: 'sleep_session',
    source,
    startMs: Date.parse('2026-05-10T20:40:00Z'),
    endMs: Date.parse('2026-05-11T04:40:00Z'),
    offsetMinutes,
    isNap: false,
    asleepSeconds: 460 * 60,
  });
  const { id } = await recordedUser(service, night(WATCH, -300), night(GARMIN, 0));
  const path = `/api/v1/users/${id}/priorities/preview?start_date=2026-05-01&end_date=2026-05-31`;
  const { body } = await developer('POST', path, CHANGES[0]);
  await service.pool.query('delete from health_user where id = $1', [id]);
  expect(body).toMatchObject({
    nights_compared: 2,
    nights: [
      { date: '2026-05-10', before: { source: { provider: 'apple' } }, after: null },
      { date: '2026-05-11', before: null, after: { source: { provider: 'garmin' } } },
    ],
  });
});

test('allows only developers to preview up to 100 days of existing users', async () => {
  const path = (user: string | undefined, end: string) =>
    `/api/v1/users/${user}/priorities/preview?start_date=2026-03-01&end_date=${end}`;
  expect((await service.call('POST', path(users[0], '2026-03-10'), {})).status).toBe(401);
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect((await developer('POST', path(unknown, '2026-03-10'), {})).status).toBe(404);
  expect((await developer('POST', path(users[0], '2026-06-09'), {})).status).toBe(200);
  const tooLong = await developer('POST', path(users[0], '2026-06-10'), {});
  expect(tooLong.status).toBe(422);
  expect(JSON.stringify(tooLong.body)).toContain('more than 100 days');
});

test('counts users, days, nights and samples of a preview', async () => {
  const garminFirst = {
    providers: [
      { provider: 'garmin', priority: 1 },
      { provider: 'apple', priority: 50 },
    ],
  };
  expect(await preview(garminFirst)).toEqual({
    users: 2,
    days: 1,
    nights: 1,
    nights_archived: 0,
    recoveries: 0,
    recoveries_archived: 0,
    body_summaries: 0,
    samples: 1,
    users_compared: 3,
    users_concerned: 3,
  });
});

test('counts no changed day for unchanged or missing priorities', async () => {
  const { body } = await developer('GET', '/api/v1/priorities/providers');
  const same = body.items.map(({ provider, priority }: Record<string, unknown>) => ({ provider, priority }));
  for (const change of [{}, { providers: same }]) {
    expect(await preview(change)).toEqual({
      users: 0,
      days: 0,
      nights: 0,
      nights_archived: 0,
      recoveries: 0,
      recoveries_archived: 0,
      body_summaries: 0,
      samples: 0,
      users_compared: 0,
      users_concerned: 0,
    });
  }
});

test('allows a preview only for developers', async () => {
  expect((await service.call('POST', '/api/v1/priorities/preview', {})).status).toBe(401);
});

test('rejects invalid priorities', async () => {
  const wrong = { providers: [{ provider: 'acme', priority: 1 }] };
  expect((await developer('POST', '/api/v1/priorities/preview', wrong)).status).toBe(422);
  const zero = { providers: [{ provider: 'apple', priority: 0 }] };
  expect((await developer('POST', '/api/v1/priorities/preview', zero)).status).toBe(422);
});
