import { openSourceDatabase, parseSourceAddress, requireSourceShape } from '@healthd/daemon/open-wearables';
import { batchOf, type HealthRecord, type SourceIdentity, seriesTypeByCode } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANNA, API_KEY, BOB, CARLA, TOKENS } from '../support/open-wearables/users.js';
import { recordWriter } from '../support/recorded-user.js';
import { type MigrationFixture, openMigrationFixture, vault } from './migration-fixture.js';

let there: MigrationFixture['there'];
let service: MigrationFixture['service'];
let truth: MigrationFixture['truth'];
let call: MigrationFixture['call'];
let get: MigrationFixture['get'];
let lines: string[];
let report: MigrationFixture['report'];
let migration: MigrationFixture;
beforeAll(async () => {
  migration = await openMigrationFixture();
  ({ there, service, truth, call, get, lines, report } = migration);
});
afterAll(() => migration.close());

describe('the preview of a migration from Open Wearables', () => {
  test.each([
    ['users', /^ {2}Users +3$/],
    ['connections with tokens', /^ {2}Connections, google active +1 {2}\(1 with tokens\)$/],
    ['ended connections without tokens', /^ {2}Connections, google revoked +1 {2}\(without tokens\)$/],
    ['connections of unsupported providers', /^ {2}Connections, garmin active +1 {2}\(1 with tokens; kept, but/],
    ['API keys', /^ {2}API keys +1$/],
    ['samples', /^ {2}Samples +879$/],
    ['samples of each series', /^ {4}heart_rate +385$/],
    ['archived days', /^ {2}Archived days +6$/],
    ['nights', /^ {2}Nights and naps +5$/],
    ['workouts', /^ {2}Workouts +4$/],
    ['cycles', /^ {2}Menstrual cycles +1$/],
    ['scores', /^ {2}Health scores +3$/],
  ])('shows the figures of %s', (_, line) => {
    expect(lines.filter((shown) => line.test(shown))).toHaveLength(1);
  });

  test.each([
    '1 connections of the unsupported provider moonwatch',
    '1 connections that belong to no user',
    '1 samples that belong to no user',
    '1 samples of the unsupported provider moonwatch',
    '1 samples of the unsupported series recovery_score',
    '1 samples of waist_circumference in inch instead of cm',
    '1 events that are older versions of another event',
    '1 events that belong to no user',
    '1 events of the unsupported category dream',
    '1 scores that Open Wearables computed itself',
    '1 API keys that do not start with sk-, or whose hash is not a SHA-256: create them again',
    '1 unsupported genders',
    '1 developer accounts: their passwords cannot be moved; invite them again',
    '1 applications: their secrets cannot be moved; create them again',
  ])('lists data that is not copied, with the reason: %s', (left) => {
    expect(lines.map((line) => line.trim())).toContain(left);
  });

  test("names the source's uncopied archival setting", () => {
    expect(lines).toContain(
      'In the source, samples are archived after 90 days. Here they are kept until you change the archival settings.',
    );
  });
});

describe('a migration from Open Wearables', () => {
  test('keeps API keys valid by copying only their hashes', async () => {
    expect((await call('GET', '/api/v1/users')).status).toBe(200);
    const { rows } = await service.pool.query('select * from api_key');
    expect(JSON.stringify(rows)).not.toContain(API_KEY);
    expect(rows.map(({ name, last_four }) => [name, last_four])).toContainEqual(['back end', API_KEY.slice(-4)]);
    expect(report.apiKeys).toBe(1);
  });

  test('keeps IDs, names and times of users', async () => {
    expect(await get(ANNA)).toMatchObject({
      id: ANNA,
      first_name: 'Anna',
      last_name: 'Nowak',
      email: 'anna@clinic.example',
      external_user_id: 'patient-1',
      created_at: '2025-01-02T03:04:05.678Z',
    });
    expect(await get(CARLA)).toMatchObject({ id: CARLA, first_name: null, email: null, external_user_id: null });
    expect(report.users).toEqual({ new: 3, here: 0, erased: 0 });
    const { rows } = await service.pool.query('select birth_date::text, gender from personal_record');
    expect(rows).toEqual([{ birth_date: '1984-05-06', gender: 'female' }]);
  });

  test.each([
    ['an overlapping watch and phone, across a clock change', ANNA, 4],
    ['daily totals next to samples, and archived days', BOB, 7],
  ])("keeps the other service's daily steps: %s", async (_, user, days) => {
    const { data } = await get(`${user}/summaries/activity?start_date=2024-11-01&end_date=2025-05-01`);
    const counted = data.filter(({ steps }: { steps: number | null }) => steps !== null);
    const steps = new Map(counted.map(({ date, steps }: { date: string; steps: number }) => [date, steps]));
    expect(truth.steps.get(user)?.size).toBe(days);
    expect(steps).toEqual(truth.steps.get(user));
  });

  test('keeps the mean heart rate of an archived day', async () => {
    const { data } = await get(`${BOB}/summaries/activity?start_date=2024-11-05&end_date=2024-11-08`);
    expect(data.map(({ heart_rate }: { heart_rate: { avg_bpm: number } }) => heart_rate.avg_bpm)).toEqual([70, 71, 72]);
  });

  test('keeps heart rates with time, zone and source', async () => {
    const { data } = await get(
      `${ANNA}/timeseries?types=heart_rate&start_time=2025-03-28T00:00:00Z&end_time=2025-04-02T00:00:00Z&limit=1000`,
    );
    const seen = data.map(({ timestamp, value }: { timestamp: string; value: number }) => ({
      at: new Date(timestamp).toISOString(),
      bpm: value,
    }));
    expect(seen).toEqual(truth.heartRates);
    expect(data[0]).toMatchObject({
      zone_offset: '+01:00',
      source: { provider: 'apple', source: 'Watch', device: 'Watch7,5', device_type: 'watch' },
    });
  });

  test('keeps the stored figures of a night and a nap', async () => {
    const { data } = await get(`${ANNA}/summaries/sleep?start_date=2025-03-29&end_date=2025-03-30`);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      date: '2025-03-29',
      duration_minutes: 421,
      time_in_bed_minutes: 462,
      efficiency_percent: 91.2,
      stages: { awake_minutes: 41, light_minutes: 237, deep_minutes: 88, rem_minutes: 96 },
      start_time: '2025-03-28T21:41:00Z',
      end_time: '2025-03-29T05:23:00Z',
      zone_offset: '+01:00',
      nap_count: 1,
      nap_duration_minutes: 25,
      total_duration_minutes: 446,
      source: { provider: 'oura', source: 'oura', device: 'Oura Ring Gen3', device_type: 'ring' },
    });
    const { data: sessions } = await get(`${ANNA}/events/sleep?start_date=2025-03-28&end_date=2025-03-29`);
    expect(sessions[0].sleep_stage_intervals).toEqual([
      { stage: 'light', start_time: '2025-03-28T21:41:00Z', end_time: '2025-03-28T22:08:00Z' },
      { stage: 'deep', start_time: '2025-03-28T22:08:00Z', end_time: '2025-03-28T22:52:00Z' },
    ]);
  });

  test('counts a corrected night once', async () => {
    const { data: annas } = await get(`${ANNA}/summaries/sleep?start_date=2025-03-31&end_date=2025-04-01`);
    expect(annas).toMatchObject([{ date: '2025-03-31', duration_minutes: 400, sessions: [{ is_nap: false }] }]);
  });

  test('counts a stageless night by its length', async () => {
    const { data: bobs } = await get(`${BOB}/summaries/sleep?start_date=2025-03-29&end_date=2025-03-30`);
    expect(bobs).toMatchObject([{ duration_minutes: 400, stages: null }]);
  });

  test('keeps all workout figures except zeros', async () => {
    const range = 'start_date=2025-03-28&end_date=2025-04-02';
    const { data: annas } = await get(`${ANNA}/events/workouts?${range}`);
    expect(annas.map(({ type }: { type: string }) => type)).toEqual(['walking', 'trail_running']);
    expect(annas[1]).toMatchObject({
      start_time: '2025-03-29T06:05:00Z',
      end_time: '2025-03-29T07:11:20Z',
      zone_offset: '+01:00',
      duration_seconds: 3_950,
      calories_kcal: 734,
      distance_meters: 10_420.7,
      avg_heart_rate_bpm: 149,
      max_heart_rate_bpm: 177,
      elevation_gain_meters: 318,
    });
    const { data: bobs } = await get(`${BOB}/events/workouts?${range}`);
    expect(bobs).toMatchObject([{ type: 'other' }, { type: 'other', calories_kcal: null, distance_meters: null }]);
    const detail = await get(`${ANNA}/events/workouts/${annas[1].id}`);
    expect(JSON.parse(detail.metadata.hr_zones)).toEqual({
      zones: [{ zone: 1, seconds: 60, max_bpm: 120 }],
      max_hr: 190,
      threshold_hr: 170,
    });
  });

  test('keeps scores, cycles and body values', async () => {
    const { data: scores } = await get(`${BOB}/health-scores`);
    expect(scores).toMatchObject([{ provider: 'whoop', category: 'recovery', value: 74 }]);
    expect(scores[0].components.hrv_rmssd_milli).toEqual({ value: 68.3, qualifier: null });
    expect((await get(`${ANNA}/health-scores`)).data).toMatchObject([{ provider: 'oura', value: 82 }]);
    expect((await get(`${CARLA}/health-scores`)).data).toMatchObject([{ value: null, qualifier: 'Calm' }]);
    const { data: cycles } = await get(`${BOB}/events/menstrual-cycles?start_date=2025-03-01&end_date=2025-05-01`);
    expect(cycles).toMatchObject([{ day_in_cycle: 3, cycle_length: 28, current_phase_type: 'MENSTRUAL' }]);
    expect((await get(`${CARLA}/summaries/body`)).slow_changing).toMatchObject({ weight_kg: 61.25, height_cm: 168 });
  });

  test('computes recovery from migrated data', async () => {
    const { data } = await get(`${BOB}/summaries/recovery?start_date=2025-03-29&end_date=2025-03-30`);
    expect(data).toMatchObject([{ resting_heart_rate_bpm: 51, avg_hrv_rmssd_ms: 68.3, recovery_score: 74 }]);
  });

  test('reports rejected impossible values', () => {
    expect(Object.fromEntries(report.rejected)).toEqual({
      'samples: implausible:heart_rate 15..350 bpm': 1,
      'sleep_sessions: end_before_start': 1,
    });
  });

  test('keeps connections with their status and encrypted tokens', async () => {
    const annas = await get(`${ANNA}/connections`);
    expect(annas).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          provider: 'google',
          status: 'active',
          provider_user_id: 'account-1',
          has_authorization: true,
          last_synced_at: '2025-03-30T10:00:00.123Z',
        }),
        expect.objectContaining({ provider: 'apple', status: 'active', has_authorization: false }),
      ]),
    );
    expect(await get(`${BOB}/connections`)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ provider: 'garmin', status: 'active', has_authorization: true }),
        expect.objectContaining({ provider: 'google', status: 'revoked', has_authorization: false }),
      ]),
    );
    const { rows } = await service.pool.query('select * from connection');
    for (const secret of [...Object.values(TOKENS), 'made-up-garmin', 'left-over']) {
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
    const google = rows.find(({ provider, status }) => provider === 'google' && status === 'active');
    const open = (column: 'access_token' | 'refresh_token') =>
      vault.open({ table: 'connection', column, row: google.id, userId: ANNA }, google[column]);
    expect([open('access_token'), open('refresh_token')]).toEqual([TOKENS.access, TOKENS.refresh]);
    // The first sync starts at the other service's last sync.
    expect(google.consented_at).toEqual(google.last_synced_at);
  });

  test("uses the other service's priorities", async () => {
    const { rows } = await service.pool.query(
      `select provider, priority from provider_priority where provider in ('apple', 'oura', 'moonwatch') order by 1`,
    );
    expect(rows).toEqual([
      { provider: 'apple', priority: 2 },
      { provider: 'oura', priority: 1 },
    ]);
  });

  test('keeps archival off', async () => {
    const { rows } = await service.pool.query('select archive_after_days, delete_after_days from archival_setting');
    expect(rows).toEqual([{ archive_after_days: null, delete_after_days: null }]);
  });
});

test('counts migrated items once when a phone redelivers them', async () => {
  const paths = [
    `${ANNA}/summaries/activity?start_date=2025-03-29&end_date=2025-03-30`,
    `${ANNA}/summaries/sleep?start_date=2025-03-29&end_date=2025-03-30`,
    `${ANNA}/events/workouts?start_date=2025-03-28&end_date=2025-04-02&filter_by_priority=true`,
  ];
  const figures = async () => {
    const [activity, sleep, workouts] = await Promise.all(paths.map(get));
    return [activity.data[0].steps, sleep.data[0].duration_minutes, workouts.pagination.total_count];
  };
  const before = await figures();
  const watch: SourceIdentity = { provider: 'apple', deviceModel: 'Watch7,5', writer: 'Watch', deviceType: 'watch' };
  const ring: SourceIdentity = { provider: 'oura', deviceModel: 'Oura Ring Gen3', writer: 'oura', deviceType: 'ring' };
  const ms = (text: string) => Date.parse(text);
  const { rows } = await service.pool.query<{ user_key: number }>('select user_key from health_user where id = $1', [
    ANNA,
  ]);
  const records: HealthRecord[] = [
    {
      kind: 'sample',
      source: watch,
      typeId: seriesTypeByCode('steps').id,
      sampleKind: 'sample',
      value: 58,
      startMs: ms('2025-03-29T10:00:00Z'),
      durationMs: 900_000,
      offsetMinutes: 60,
    },
    {
      kind: 'sleep_stage',
      source: ring,
      stage: 'light',
      offsetMinutes: 60,
      startMs: ms('2025-03-28T21:41:00Z'),
      endMs: ms('2025-03-29T05:23:00Z'),
    },
    {
      kind: 'workout',
      source: watch,
      type: 'trail_running',
      offsetMinutes: 60,
      externalId: 'w-1',
      startMs: ms('2025-03-29T06:05:00Z'),
      endMs: ms('2025-03-29T07:11:20Z'),
    },
  ];
  await recordWriter(service).write(rows[0]?.user_key as number, batchOf(records));
  const [steps, asleep, workouts] = await figures();
  expect([steps, workouts]).toEqual([before[0], before[2]]);
  // The summary counts only one of the two nights.
  expect([before[1], 462]).toContain(asleep);
});

test('names the missing parts of a rejected database', async () => {
  const source = await openSourceDatabase(parseSourceAddress(service.database.url));
  await expect(requireSourceShape(source)).rejects.toThrow(/is not an Open Wearables database .* Missing: user, /);
  await source.close();
});

test('opens the source database read-only', async () => {
  const source = await openSourceDatabase(parseSourceAddress(there.url));
  await expect(source.query('delete from "user"')).rejects.toThrow(/read-only transaction/);
  await source.close();
});
