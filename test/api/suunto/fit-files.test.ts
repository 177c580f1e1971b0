import { batchOf, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { providerById, Tally } from '@healthd/providers';
import { type SuuntoSimulator, type SuuntoWorkout, startSuuntoSimulator, type WorkoutFile } from '@healthd/simulators';
import { afterEach, describe, expect, it } from 'vitest';
import { recordWriter } from '../../support/recorded-user.js';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const HOUR = 3_600;
const NOW_MS = Date.now();
const SERIES = ['heart_rate', 'speed', 'cadence', 'power', 'elevation', 'latitude', 'longitude'] as const;

let fixture: VendorFixture<SuuntoSimulator>;
afterEach(() => fixture.close());

async function open({ past = false, values = {}, quotas = false, limits = { perMinute: 1e6, perWeek: 1e6 } } = {}) {
  const cloud = providerById('suunto')?.cloud;
  fixture = await openVendorFixture('suunto', await startSuuntoSimulator({ autoConsent: true, limits }), {
    historicalSyncOnConnect: past,
    values: { READ_FIT_FILES: 'true', ...values },
    ...(quotas && cloud && { quotas: cloud.quotas }),
  });
  await fixture.control.addAccount({ id: 'ada', timeZone: 'Asia/Kolkata' });
}
async function connect(): Promise<ConnectedUser> {
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  return ada;
}
const key = (n: number) => n.toString(16).padStart(24, '0');
const run = (n: number, change: Partial<SuuntoWorkout> = {}): SuuntoWorkout => ({
  workoutKey: key(n),
  activityId: 1,
  startTime: NOW_MS - n * HOUR * 1_000,
  totalTime: 600,
  timeOffsetInMinutes: 330,
  ...change,
});
const file = (change: Partial<WorkoutFile> = {}): WorkoutFile => ({
  readings: Array.from({ length: 60 }, (_, second) => ({ second, heartRate: 120 + second, speed: 3 })),
  ...change,
});
async function put(one: SuuntoWorkout, recorded: WorkoutFile | null = file()) {
  await fixture.wait(1);
  await fixture.control.put('ada', { workouts: [one], files: { [one.workoutKey]: recorded } }, { notify: false });
}
const workouts = async ({ userKey }: ConnectedUser) =>
  (await fixture.pool.query('select external_id, events from workout where user_key = $1 order by start_at', [userKey]))
    .rows;
/** Returns all stored values of a user's series, oldest first. */
async function readings({ userKey }: ConnectedUser, code: SeriesCode) {
  const stored = await fixture.samples(userKey, code);
  return stored.map(({ value }) => value);
}
/** Formats a rounded value, because positions have fractions of a millionth of a degree. */
const place = (atMs: number, value: number) => `${atMs} ${value.toFixed(5)}`;
/** Returns the devices that have stored workouts or heart rates, with the number of each. */
async function sourcesOf({ userKey }: ConnectedUser) {
  const { rows } = await fixture.pool.query(
    `select device_model as device, workouts, readings from data_source s
      cross join lateral (select count(*)::int as workouts from workout w where w.user_key = $1 and w.source_id = s.source_id) w
      cross join lateral (select count(*)::int as readings from sample m
                           where m.user_key = $1 and m.source_id = s.source_id and m.type_id = $2) m
      where s.user_key = $1 and workouts + readings > 0 order by 1`,
    [userKey, seriesTypeByCode('heart_rate').id],
  );
  return rows;
}
const files = () => fixture.control.requests('/fit');
/** Returns the reasons for rejected items of the changed-workouts list in the last run. */
async function reasonsOf(user: ConnectedUser): Promise<Record<string, number> | undefined> {
  const types = (await fixture.lastRun(user))?.metadata.data_types as Record<string, object> | undefined;
  return (types?.changed_workouts as { rejected_by_reason?: Record<string, number> } | undefined)?.rejected_by_reason;
}

describe('the files of workouts', () => {
  it('are stored completely, second by second', async () => {
    await open({ past: true });
    await fixture.control.seedHistory('ada', { seed: 6, days: 14 });
    const ada = await connect();
    const truth = await fixture.control.truth('ada');
    expect(await workouts(ada)).toHaveLength(truth.workouts.length);
    const known = truth.workouts.flatMap((workout) => workout.readings);
    for (const code of SERIES) {
      const member = code === 'heart_rate' ? 'heartRate' : code;
      const expected = known.flatMap((one) => (one[member] === undefined ? [] : place(one.atMs, one[member])));
      // The day also has readings of another source.
      const stored = new Set((await fixture.samples(ada.userKey, code)).map(({ atMs, value }) => place(atMs, value)));
      expect(expected.length, code).toBeGreaterThan(100);
      expect(expected.filter((one) => !stored.has(one))).toEqual([]);
      if (code !== 'heart_rate') expect(stored.size, code).toBe(expected.length);
    }
    const requestedPaths = (await files()).map(({ path }) => path);
    expect(new Set(requestedPaths).size).toBe(truth.workouts.length);
  });

  it('are shown with the laps and pauses of their workout', async () => {
    await open();
    const laps = [
      { second: 0, seconds: 30, meters: 90 },
      { second: 30, seconds: 30, meters: 80 },
    ];
    await put(run(2), file({ laps, pauses: [{ second: 10, seconds: 5 }] }));
    const ada = await connect();
    const [{ id }] = (
      await fixture.call('GET', `/api/v1/users/${ada.userId}/events/workouts?start_date=2020-01-01&end_date=2100-01-01`)
    ).body.data;
    const { body } = await fixture.call('GET', `/api/v1/users/${ada.userId}/events/workouts/${id}`);
    expect(body.events.map((event: { type: string }) => event.type)).toEqual(['lap', 'pause', 'lap']);
    const heart = body.samples.find((one: { type: string }) => one.type === 'heart_rate');
    expect(heart.samples).toHaveLength(60);
  });

  it('are not requested again for an unchanged workout', async () => {
    await open();
    await put(run(2));
    const ada = await connect();
    const before = await fixture.everything(ada.userKey);
    expect(await readings(ada, 'heart_rate')).toHaveLength(60);
    await fixture.wait(2 * HOUR);
    expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
    const requestCount = (await files()).length;
    await fixture.wait(2 * HOUR);
    expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
    expect((await files()).length).toBe(requestCount);
    expect(await fixture.everything(ada.userKey)).toEqual(before);
  });

  it('replace the stored readings after an edit of the workout', async () => {
    await open();
    await put(run(2));
    await put(run(5));
    const ada = await connect();
    await fixture.wait(2 * HOUR);
    // A shortened file, which starts later than the original recording.
    await put(
      run(2, { startTime: NOW_MS - 2 * HOUR * 1_000 + 20_000 }),
      file({ readings: [{ second: 1, heartRate: 99 }] }),
    );
    await fixture.pull(ada);
    const rates = await readings(ada, 'heart_rate');
    expect(rates).toHaveLength(61);
    expect(rates.at(-1)).toBe(99);
    expect(await readings(ada, 'speed')).toHaveLength(60);
  });

  it.each([
    ['to a date that only the list of changes covers', 40],
    ['to a date that the list of workouts shows first', 3],
  ])('follow a workout whose date is corrected by weeks, %s', async (_, days) => {
    await open();
    const daysAgo = (n: number) => run(24 * n, { workoutKey: key(1) });
    await put(daysAgo(20));
    const ada = await connect();
    expect(await readings(ada, 'heart_rate')).toHaveLength(60);
    await fixture.wait(2 * HOUR);
    await put(daysAgo(days));
    await fixture.pull(ada);
    expect(await workouts(ada)).toHaveLength(1);
    const rates = await fixture.samples(ada.userKey, 'heart_rate');
    expect(rates).toHaveLength(60);
    const startMs = NOW_MS - days * 24 * HOUR * 1_000;
    expect(rates.every(({ atMs }) => Math.abs(atMs - startMs) < HOUR * 1_000)).toBe(true);
  });

  it.each([
    ['names no device', {}, 'Suunto Race S'],
    ['names another device', { gear: { displayName: 'Suunto Vertical' } }, 'Suunto Vertical'],
  ])('have the source of their workout when the list %s', async (_, listed, device) => {
    await open();
    await put(run(2, { gear: { displayName: 'Suunto Race S' } }), null);
    const ada = await connect();
    await fixture.wait(2 * HOUR);
    await put(run(2, listed));
    await fixture.pull(ada);
    expect(await sourcesOf(ada)).toEqual([{ device, workouts: 1, readings: 60 }]);
  });

  it("keep the workout's source if the new device has no file", async () => {
    await open();
    await put(run(2, { gear: { displayName: 'Suunto Race S' } }));
    const ada = await connect();
    await fixture.wait(2 * HOUR);
    await put(run(2, { gear: { displayName: 'Suunto Vertical' } }), null);
    await fixture.pull(ada);
    expect(await sourcesOf(ada)).toEqual([{ device: 'Suunto Race S', workouts: 1, readings: 60 }]);
    // A push contains the device, and may be older than stored data.
    const data = { ...run(2), gear: { displayName: 'Suunto Ocean' } };
    const pushed = providerById('suunto')?.cloud?.deliveries?.records('workouts', { data }, new Tally('workouts'));
    expect(pushed?.records).toHaveLength(1);
    const { rows } = await fixture.pool.query<{ account: string }>(
      'select account from data_source where user_key = $1 and account is not null limit 1',
      [ada.userKey],
    );
    await recordWriter(fixture).write(ada.userKey, batchOf(pushed?.records ?? []), { account: rows[0]?.account });
    expect(await sourcesOf(ada)).toEqual([{ device: 'Suunto Race S', workouts: 1, readings: 60 }]);
  });

  it('keep the readings of other workouts after a workout deletion', async () => {
    await open();
    await put(run(2));
    await put(run(3));
    const timestamp = new Date(NOW_MS - 2 * HOUR * 1_000).toISOString();
    await fixture.control.put('ada', { activity: [{ timestamp, entryData: { HR: 61 } }] }, { notify: false });
    const ada = await connect();
    expect(await readings(ada, 'heart_rate')).toHaveLength(121);
    await fixture.control.removeWorkout('ada', key(2));
    await fixture.pull(ada);
    expect((await workouts(ada)).map((one) => one.external_id)).toEqual([key(3)]);
    const rates = await readings(ada, 'heart_rate');
    expect(rates).toHaveLength(61);
    expect(rates.at(-1)).toBe(61);
    expect(await readings(ada, 'speed')).toHaveLength(60);
  });

  it.each([
    ['truncated', 28],
    ['wrong_checksum', 60],
    ['unfinished', 60],
  ] as const)('with damage %s keep their readable seconds', async (damage, readable) => {
    await open();
    await put(run(2), file({ damage }));
    await put(run(3));
    const ada = await connect();
    expect(await workouts(ada)).toHaveLength(2);
    expect(await readings(ada, 'heart_rate')).toHaveLength(readable + 60);
    const report = (await fixture.lastRun(ada))?.metadata.data_types as Record<string, unknown>;
    expect(report.changed_workouts).toMatchObject({
      status: 'success',
      rejected: 1,
      rejected_by_reason: { [damage === 'wrong_checksum' ? 'damaged:checksum' : 'damaged:truncated']: 1 },
    });
  });

  it.each([
    ['true', 2],
    ['false', undefined],
  ])('count in the poll plan: setting %s, requests per poll %s', async (setting, requests) => {
    await open({ values: { READ_FIT_FILES: setting } });
    const cloud = fixture.reading.services.connections.configurationOf('suunto')?.cloud;
    const type = cloud?.pull?.dataTypes.find(({ id }) => id === 'changed_workouts');
    expect(type).toBeDefined();
    expect(type?.requestsPerPoll).toBe(requests);
  });

  it('are each read once for fifteen workouts that change together', async () => {
    await open();
    const keys = Array.from({ length: 15 }, (_, n) => n + 2);
    const together = {
      workouts: keys.map((n) => run(n)),
      files: Object.fromEntries(keys.map((n) => [key(n), file()])),
    };
    await fixture.control.put('ada', together, { notify: false });
    const ada = await connect();
    expect(await workouts(ada)).toHaveLength(15);
    expect(await readings(ada, 'heart_rate')).toHaveLength(15 * 60);
    expect(new Set((await files()).map(({ path }) => path)).size).toBe(15);
    expect(await files()).toHaveLength(15);
    expect(await reasonsOf(ada)).toBeUndefined();
  });

  it('that arrive hours later are requested with growing delays', async () => {
    await open();
    await put(run(2), null);
    await put(run(3));
    const ada = await connect();
    expect(await workouts(ada)).toHaveLength(2);
    expect(await readings(ada, 'heart_rate')).toHaveLength(60);
    expect(await reasonsOf(ada)).toEqual({ 'not_given:requested again': 1 });
    const requestsAfter = async (hours: number) => {
      const before = (await files()).length;
      await fixture.wait(hours * HOUR);
      expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
      return (await files()).length - before;
    };
    // The changed-workouts list contains both workouts until an hour after the first poll.
    expect(await requestsAfter(2)).toBe(2);
    expect(await requestsAfter(2)).toBe(0);
    expect(await requestsAfter(2)).toBe(1);
    expect(await requestsAfter(8)).toBe(0);
    const before = (await workouts(ada)).map(({ external_id }) => external_id);
    await fixture.control.put('ada', { files: { [key(2)]: file() } }, { notify: false });
    expect(await requestsAfter(2)).toBe(1);
    expect(await readings(ada, 'heart_rate')).toHaveLength(120);
    expect((await workouts(ada)).map(({ external_id }) => external_id)).toEqual(before);
    expect(await requestsAfter(100)).toBe(0);
  });

  it('count as missing after five days of requests', async () => {
    await open();
    await put(run(2), null);
    const ada = await connect();
    const reasons: Record<string, number> = {};
    for (let hours = 0; hours < 7 * 24; hours += 12) {
      await fixture.wait(12 * HOUR);
      await fixture.pull(ada);
      for (const [reason, count] of Object.entries((await reasonsOf(ada)) ?? {})) {
        reasons[reason] = (reasons[reason] ?? 0) + count;
      }
    }
    expect(reasons['not_given:not requested again']).toBe(1);
    expect(reasons['not_given:requested again']).toBeLessThan(6);
    expect((await files()).length).toBeLessThanOrEqual(7);
    expect(await workouts(ada)).toHaveLength(1);
    expect((await fixture.pool.query('select from awaited_item')).rowCount).toBe(0);
  });

  it('of another vendor account are not requested', async () => {
    await open();
    await put(run(2), null);
    const ada = await connect();
    await fixture.control.addAccount({ id: 'eve' });
    await fixture.connect('eve', ada.userId);
    expect((await fixture.pool.query('select from awaited_item')).rowCount).toBe(0);
  });

  it('are not requested repeatedly for old workouts of a first backfill', async () => {
    await open({ past: true });
    await put(run(2), null);
    await fixture.wait(6 * 24 * HOUR);
    const ada = await connect();
    expect(await workouts(ada)).toHaveLength(1);
    expect(await files()).not.toEqual([]);
    expect((await fixture.pool.query('select from awaited_item')).rowCount).toBe(0);
  });

  it('are not requested without the setting', async () => {
    await open({ values: { READ_FIT_FILES: 'false' } });
    await put(run(2));
    const ada = await connect();
    expect(await workouts(ada)).toHaveLength(1);
    expect(await readings(ada, 'heart_rate')).toEqual([]);
    expect(await files()).toEqual([]);
  });
});

it('reads files within the quota without blocking a workout', async () => {
  await open({ past: true, quotas: true, limits: { perMinute: 10, perWeek: 200 } });
  await fixture.control.seedHistory('ada', { seed: 4, days: 20 });
  const ada = await connect();
  const truth = await fixture.control.truth('ada');
  const known = truth.workouts.flatMap((workout) => workout.readings.filter(({ speed }) => speed !== undefined));
  const isDone = async () => (await readings(ada, 'speed')).length === known.length;
  expect(await isDone()).toBe(false);
  for (let hours = 0; !(await isDone()) && hours < 100; hours++) {
    // Refills the budgets too. They use the database's clock.
    await fixture.pool.query(`update request_budget set updated_at = updated_at - interval '1 hour'`);
    await fixture.wait(HOUR);
    await fixture.reading.settle();
  }
  expect(await isDone()).toBe(true);
  expect(await workouts(ada)).toHaveLength(truth.workouts.length);
  expect((await fixture.control.requests()).filter(({ status }) => status === 403 || status === 429)).toEqual([]);
});
