import { archiveOldData } from '@healthd/daemon/retention';
import { type HealthRecord, MS_PER_HOUR, type SeriesCode, type SourceIdentity } from '@healthd/model';
import type { BodySummary, GroupExplanation } from '@healthd/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { propertyRuns } from '../support/extent.js';
import { recordedUser, writeRecords } from '../support/recorded-user.js';
import { GARMIN, sample, WATCH } from '../support/records.js';
import { type Call, startTestService, type TestService } from '../support/service.js';

const APP: SourceIdentity = { provider: 'apple', writer: 'Sleeper' };
const GARMIN_FIRST = {
  providers: [
    { provider: 'garmin', priority: 1 },
    { provider: 'apple', priority: 50 },
  ],
};

const OTHERS_FIRST = {
  providers: ['oura', 'ultrahuman', 'whoop', 'apple'].map((provider, at) => ({ provider, priority: at + 1 })),
};

let service: TestService;
let developer: Call;
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
});
afterAll(() => service.stop());

const preview = async (body: object) => (await developer('POST', '/api/v1/priorities/preview', body)).body;

/** Stores records, previews other priorities and sets them. Returns the preview and the actual changes. */
async function changedBy(change: Record<string, object[]>, records: HealthRecord[]) {
  const { id, userKey } = await recordedUser(service, ...records);
  const rows = async (name: string) => {
    const path = `/api/v1/users/${id}/summaries/${name}?start_date=2026-03-01&end_date=2026-03-31&limit=100`;
    const { body } = await service.call('GET', path);
    return new Map<string, string>(
      body.data.map((row: { date: string; sources: object }) => [row.date, JSON.stringify(row)]),
    );
  };
  const rowsOfAll = async () => [await rows('activity'), await rows('sleep'), await rows('recovery')] as const;
  const before = await rowsOfAll();
  const previewed = await preview(change);
  const stored: Record<string, { name: string; priority: number }[]> = {};
  const { providers, deviceTypes } = service.parts.priorities;
  stored.providers = (await providers.list()).map(({ provider: name, priority }) => ({ name, priority }));
  stored.deviceTypes = (await deviceTypes.list()).map(({ device_type: name, priority }) => ({ name, priority }));
  const ranks = (list: object[] = []) =>
    (list as { provider?: string; device_type?: string; priority: number }[]).map(
      ({ provider, device_type, priority }) => ({ name: provider ?? device_type ?? '', priority }),
    );
  await providers.set(ranks(change.providers));
  await deviceTypes.set(ranks(change.device_types));
  const after = await rowsOfAll();
  await providers.set(stored.providers);
  await deviceTypes.set(stored.deviceTypes);
  await service.pool.query('delete from health_user where user_key = $1', [userKey]);
  const [days, nights, recoveries] = before.map((rows, at) => {
    const then = after[at] as Map<string, string>;
    return [...new Set([...rows.keys(), ...then.keys()])].filter((date) => then.get(date) !== rows.get(date)).length;
  });
  return { foreseen: previewed, changed: { days, nights, recoveries } };
}

function sleep(source: SourceIdentity, start: string, end: string, facts: { offset?: number; isNap?: boolean } = {}) {
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
  return {
    kind: 'sleep_session',
    source,
    startMs,
    endMs,
    isNap: facts.isNap ?? false,
    ...(facts.offset !== undefined && { offsetMinutes: facts.offset }),
    asleepSeconds: (endMs - startMs) / 1000,
  } satisfies HealthRecord;
}

/** Fails unless the previews for the user and for all users equal the actual body changes. */
async function expectBodyPreviewed(records: HealthRecord[]) {
  const { id, userKey } = await recordedUser(service, ...records);
  const seen = async () => {
    const row = (await service.call('GET', `/api/v1/users/${id}/summaries/body`)).body;
    const { body: explained } = await service.call('GET', `/api/v1/users/${id}/summaries/body/explain`);
    const chosen = explained.groups.map(({ winner, days }: GroupExplanation) => [winner, days]);
    return { figures: withoutPeriod(row), chosen: JSON.stringify(chosen) };
  };
  const { providers } = service.parts.priorities;
  const inForce = (await providers.list()).map(({ provider: name, priority }) => ({ name, priority }));
  const all = await preview(GARMIN_FIRST);
  const path = `/api/v1/users/${id}/priorities/preview?start_date=2026-03-01&end_date=2026-03-02`;
  const { body: own } = await developer('POST', path, GARMIN_FIRST);
  const before = await seen();
  await providers.set(GARMIN_FIRST.providers.map(({ provider: name, priority }) => ({ name, priority })));
  const after = await seen();
  await providers.set(inForce);
  await service.pool.query('delete from health_user where user_key = $1', [userKey]);
  expect(all.body_summaries).toBe(before.chosen === after.chosen ? 0 : 1);
  const isSame = JSON.stringify(before.figures) === JSON.stringify(after.figures);
  expect(own.body && [withoutPeriod(own.body.before), withoutPeriod(own.body.after)]).toEqual(
    isSame ? null : [before.figures, after.figures],
  );
}

/** Removes the attribution and the bounds of the averages, which move with the clock. */
function withoutPeriod(body: BodySummary | null) {
  if (!body) return null;
  const { period_start: _start, period_end: _end, ...averaged } = body.averaged;
  const { attribution: _attribution, ...row } = body;
  return { ...row, averaged };
}

describe('the preview of priorities', () => {
  test('counts a day that changes when phones rank before wearables', async () => {
    const change = {
      device_types: [
        { device_type: 'phone', priority: 1 },
        { device_type: 'watch', priority: 9 },
      ],
    };
    const { foreseen, changed } = await changedBy(change, [
      sample('steps', '2026-03-10T08:00:00Z', 8_000, { source: APP }),
      sample('steps', '2026-03-10T08:00:00Z', 9_000, { source: { ...GARMIN, deviceType: 'band' } }),
    ]);
    expect(changed.days).toBe(1);
    expect(foreseen).toMatchObject(changed);
  });

  test('counts a day whose elevation comes from another source', async () => {
    const workout = (source: SourceIdentity, elevationGainMeters: number): HealthRecord => ({
      kind: 'workout',
      source,
      type: 'hiking',
      startMs: Date.parse('2026-03-10T08:00:00Z'),
      endMs: Date.parse('2026-03-10T10:00:00Z'),
      offsetMinutes: 0,
      elevationGainMeters,
    });
    const { foreseen, changed } = await changedBy(GARMIN_FIRST, [
      sample('steps', '2026-03-10T08:00:00Z', 8_000, { source: { provider: 'whoop', deviceType: 'band' } }),
      workout(WATCH, 300),
      workout(GARMIN, 310),
    ]);
    expect(changed.days).toBe(1);
    expect(foreseen).toMatchObject(changed);
  });

  test("dates naps without an offset by the user's time zone", async () => {
    const { foreseen, changed } = await changedBy(GARMIN_FIRST, [
      sample('heart_rate', '2026-03-10T06:00:00Z', 60, { source: WATCH, offsetMinutes: 600 }),
      sleep({ provider: 'oura', deviceType: 'ring' }, '2026-03-09T13:00:00Z', '2026-03-09T20:00:00Z', { offset: 600 }),
      // From 13:00 to 14:00 in the user's local time, which is at night in UTC.
      sleep(WATCH, '2026-03-10T03:00:00Z', '2026-03-10T04:00:00Z'),
      sleep(GARMIN, '2026-03-10T03:00:00Z', '2026-03-10T04:00:00Z'),
    ]);
    expect(foreseen).toMatchObject(changed);
  });

  test('counts the naps of a date without a night', async () => {
    const { foreseen, changed } = await changedBy(GARMIN_FIRST, [
      sleep(WATCH, '2026-03-10T13:00:00Z', '2026-03-10T14:00:00Z', { offset: 0, isNap: true }),
      sleep(GARMIN, '2026-03-10T13:00:00Z', '2026-03-10T14:10:00Z', { offset: 0, isNap: true }),
    ]);
    expect(changed.nights).toBe(1);
    expect(foreseen).toMatchObject(changed);
  });

  test('counts overlapping sessions of a source once', async () => {
    const stages = (from: string, to: string) => [
      { stage: 'light' as const, startMs: Date.parse(from), endMs: Date.parse(to) },
    ];
    const { foreseen, changed } = await changedBy(GARMIN_FIRST, [
      sleep(WATCH, '2026-03-10T00:00:00Z', '2026-03-10T07:00:00Z', { offset: 0 }),
      {
        ...sleep(GARMIN, '2026-03-10T00:00:00Z', '2026-03-10T08:00:00Z', { offset: 0 }),
        asleepSeconds: 9_000,
        stages: stages('2026-03-10T00:00:00Z', '2026-03-10T02:30:00Z'),
      },
      {
        ...sleep(GARMIN, '2026-03-10T02:30:00Z', '2026-03-10T06:30:00Z', { offset: 0 }),
        asleepSeconds: 14_400,
        stages: stages('2026-03-10T02:30:00Z', '2026-03-10T06:30:00Z'),
      },
    ]);
    expect(changed.nights).toBe(1);
    expect(foreseen).toMatchObject(changed);
  });

  test('counts both dates of a sleep that moves to another date', async () => {
    const night = { start: '2026-03-10T20:40:00Z', end: '2026-03-11T04:40:00Z' };
    const { foreseen, changed } = await changedBy(GARMIN_FIRST, [
      sleep(WATCH, night.start, night.end, { offset: -300 }),
      sleep(GARMIN, night.start, night.end, { offset: 0 }),
    ]);
    expect(changed.nights).toBe(2);
    expect(foreseen).toMatchObject(changed);
  });

  test('counts readings of a night whose sleep keeps its source', async () => {
    const ring: SourceIdentity = { provider: 'oura', deviceType: 'ring' };
    const { foreseen, changed } = await changedBy(GARMIN_FIRST, [
      sleep(ring, '2026-03-09T22:00:00Z', '2026-03-10T05:00:00Z', { offset: 0 }),
      sample('respiratory_rate', '2026-03-10T01:00:00Z', 14, { source: WATCH, offsetMinutes: 0 }),
      sample('respiratory_rate', '2026-03-10T01:00:00Z', 15, { source: GARMIN, offsetMinutes: 0 }),
    ]);
    expect(changed).toEqual({ days: 0, nights: 1, recoveries: 0 });
    expect(foreseen).toMatchObject({ ...changed, users: 1 });
  });

  test('counts resting heart rates and scores of other sources', async () => {
    const score = (source: SourceIdentity, value: number): HealthRecord => ({
      kind: 'health_score',
      source,
      category: 'recovery',
      value,
      atMs: Date.parse('2026-03-12T06:00:00Z'),
      offsetMinutes: 0,
    });
    const { foreseen, changed } = await changedBy(OTHERS_FIRST, [
      sample('resting_heart_rate', '2026-03-10T06:00:00Z', 50, { source: WATCH, offsetMinutes: 0 }),
      sample('resting_heart_rate', '2026-03-10T06:00:00Z', 52, { source: { provider: 'oura', deviceType: 'ring' } }),
      score({ provider: 'whoop', deviceType: 'band' }, 60),
      score({ provider: 'ultrahuman', deviceType: 'ring' }, 70),
    ]);
    expect(changed).toEqual({ days: 0, nights: 0, recoveries: 2 });
    expect(foreseen).toMatchObject({ ...changed, users: 1 });
  });

  test('counts the changed body summaries', async () => {
    const nowMs = Date.now();
    const sources: SourceIdentity[] = [WATCH, GARMIN, { provider: 'oura', deviceType: 'ring', deviceModel: 'Ring 4' }];
    const codes = [
      'weight',
      'body_mass_index',
      'body_temperature',
      'resting_heart_rate',
      'heart_rate_variability_sdnn',
    ];
    const reading = fc.record({
      source: fc.constantFrom(...sources),
      code: fc.constantFrom(...(codes as SeriesCode[])),
      // Uses few instants, so that sources compete. Some are older than the periods of averages and latest values.
      hoursAgo: fc.constantFrom(1, 2, 30, 400),
      value: fc.integer({ min: 35, max: 41 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(reading, { minLength: 2, maxLength: 12 }), async (readings) => {
        const records = readings.map(({ source, code, hoursAgo, value }) =>
          sample(code, new Date(nowMs - hoursAgo * MS_PER_HOUR).toISOString(), value, { source, offsetMinutes: 0 }),
        );
        await expectBodyPreviewed(records);
      }),
      { numRuns: propertyRuns(25, 200) },
    );
  });

  test('counts archived nights separately', async () => {
    const night = (source: SourceIdentity, bpm: number) => [
      sleep(source, '2026-02-10T22:00:00Z', '2026-02-11T05:00:00Z', { offset: 0 }),
      sample('heart_rate', '2026-02-11T01:00:00Z', bpm, { source, offsetMinutes: 0 }),
    ];
    const { id, userKey } = await recordedUser(service, ...night(WATCH, 55), ...night(GARMIN, 60));
    await archiveOldData({
      ...service.parts,
      settings: { archiveAfterDays: 1, deleteAfterDays: null },
      nowMs: Date.parse('2026-02-20T00:00:00Z'),
      log: { error: (fields: object) => expect(fields).toBeUndefined() },
    });
    await writeRecords(service, userKey, [
      sleep(WATCH, '2026-02-20T22:00:00Z', '2026-02-21T05:00:00Z', { offset: 0 }),
      sleep(GARMIN, '2026-02-20T22:00:00Z', '2026-02-21T05:00:00Z', { offset: 0 }),
    ]);
    expect(await preview(GARMIN_FIRST)).toMatchObject({ nights: 1, nights_archived: 1 });
    await developer('PUT', '/api/v1/priorities/providers', { priorities: GARMIN_FIRST.providers });
    const path = `/api/v1/users/${id}/summaries/sleep?start_date=2026-02-01&end_date=2026-03-01`;
    const { body } = await service.call('GET', path);
    expect(body.data.map((row: { source: { provider: string } }) => row.source.provider)).toEqual(['apple', 'garmin']);
    const apple = [
      { provider: 'apple', priority: 1 },
      { provider: 'garmin', priority: 2 },
    ];
    await developer('PUT', '/api/v1/priorities/providers', { priorities: apple });
    await service.pool.query('delete from health_user where user_key = $1', [userKey]);
  });

  test('reports that only a sample of many users is compared', async () => {
    await service.pool.query(`
      with person as (insert into health_user (id) select gen_random_uuid() from generate_series(1, 1003) returning user_key)
      insert into data_source (user_key, provider) select user_key, provider from person, unnest('{apple,garmin}'::text[]) provider`);
    expect(await preview(GARMIN_FIRST)).toMatchObject({ users_compared: 1_000, users_concerned: 1_003 });
    const upgrade = 'update data_source set created_at = $1';
    await service.pool.query(upgrade, ['2026-01-01T00:00:00Z']);
    const { body } = await developer('GET', '/api/v1/priorities/upgrade');
    expect(body).toMatchObject({ users_compared: 1_000, users_concerned: 1_003 });
  });
});
