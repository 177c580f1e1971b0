import { schedulePulls } from '@healthd/daemon/ingest/pull';
import { MS_PER_HOUR } from '@healthd/model';
import { providerById } from '@healthd/providers';
import { startSuuntoSimulator } from '@healthd/simulators';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openVendorFixture, type VendorFixture, type VendorFixtureOptions } from '../../support/vendor-fixture.js';

type Simulator = Awaited<ReturnType<typeof startSuuntoSimulator>>;

let fixture: VendorFixture<Simulator>;
afterEach(() => fixture.close());

/** @param days length of the history; short by default, because a long history takes many requests */
async function open(
  options: VendorFixtureOptions,
  { days = 7, ...limits }: { perMinute?: number; perWeek?: number; days?: number } = {},
) {
  fixture = await openVendorFixture('suunto', await startSuuntoSimulator({ autoConsent: true, limits }), options);
  await fixture.control.addAccount({ id: 'ada', timeZone: 'UTC' });
  await fixture.control.seedHistory('ada', { seed: 4, days });
}
const rejectedRequests = async () =>
  (await fixture.control.requests()).filter(({ status }) => status === 403 || status === 429);
/** Advances the service's clock and the budgets, which use the database's clock. Then runs the due work. */
async function wait(seconds: number) {
  await fixture.pool.query(`update request_budget set updated_at = updated_at - make_interval(secs => $1)`, [seconds]);
  await fixture.wait(seconds);
  await fixture.reading.settle();
}

describe('a sync with a quota', () => {
  it('reads history within ten requests a minute and 200 a week', async () => {
    const quotas = providerById('suunto')?.cloud?.quotas;
    if (!quotas) throw new Error('suunto has no quotas');
    await open({ historicalSyncOnConnect: true, quotas }, { days: 60 });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const { workouts, sleeps } = await fixture.control.truth('ada');
    const stored = async () =>
      (await fixture.pool.query('select 1 from workout where user_key = $1', [ada.userKey])).rowCount;
    const isDone = async () =>
      (await stored()) === workouts.length && (await fixture.nights(ada.userKey)).length === sleeps.length;
    expect(await isDone()).toBe(false);
    expect((await fixture.reading.runsOf(ada.userKey)).map(({ status }) => status)).toContain('in_progress');
    for (let hours = 0; !(await isDone()) && hours < 60; hours++) await wait(3_600);
    expect(await isDone()).toBe(true);
    expect(await rejectedRequests()).toEqual([]);
    expect((await fixture.call('GET', '/api/v1/oauth/providers/suunto')).body.request_quota).toMatchObject({
      windows: [
        { window_seconds: 60, limit: 9 },
        { window_seconds: 604_800, limit: 190 },
      ],
    });
  });

  it.each([403, 404] as const)(
    'spends two requests on rejected daily totals (%i) without delaying runs',
    async (status) => {
      const quotas = providerById('suunto')?.cloud?.quotas;
      if (!quotas) throw new Error('suunto has no quotas');
      await open({ quotas });
      await fixture.control.setProduct('daily', status);
      const ada = await fixture.connect('ada');
      await fixture.reading.settle();
      for (let minutes = 0; minutes < 10; minutes++) await wait(60);
      const run = await fixture.lastRun(ada);
      expect(run).toMatchObject({ status: expect.stringMatching(/success|partial/) });
      expect(run?.metadata.data_types).toMatchObject({
        daily_statistics: { status: 'skipped', error: `scope_missing ${status} not_subscribed` },
      });
      const requests = await fixture.control.requests('/247');
      expect(requests.filter(({ path }) => path.includes('daily-activity-statistics'))).toHaveLength(2);
    },
  );

  it('abandons a request beyond the quota after some attempts', async () => {
    const quotas = providerById('suunto')?.cloud?.quotas;
    if (!quotas) throw new Error('suunto has no quotas');
    await open({ quotas, values: { APPLICATION_REQUESTS_PER_WEEK: '0' } }, { perWeek: 100_000 });
    // All workouts start at the same instant, so the service cannot split the range by time. It must read all pages in
    // one attempt.
    const startTime = Date.now() - MS_PER_HOUR;
    const workouts = Array.from({ length: 650 }, (_, n) => ({
      workoutKey: n.toString(16).padStart(24, '0'),
      activityId: 1,
      startTime,
      totalTime: 600,
    }));
    await fixture.control.put('ada', { workouts }, { notify: false });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    for (let minutes = 0; minutes < 60 && (await fixture.lastRun(ada))?.status === 'in_progress'; minutes++) {
      await wait(60);
    }
    const run = await fixture.lastRun(ada);
    expect(run).toMatchObject({ status: 'partial' });
    expect(run?.metadata.data_types).toMatchObject({
      workouts: { status: 'partial', error: 'rate_limited own_quota' },
      sleep: { status: 'success' },
      daily_statistics: { status: 'success' },
    });
    expect((await fixture.control.requests('/v3/workouts')).length).toBeLessThan(60);
  });

  it('reads history immediately if the quota setting is larger', async () => {
    const quotas = providerById('suunto')?.cloud?.quotas;
    if (!quotas) throw new Error('suunto has no quotas');
    const values = { APPLICATION_REQUESTS_PER_MINUTE: '5000', APPLICATION_REQUESTS_PER_WEEK: '0' };
    const more = { ...quotas, perUserAndMinute: 1_000 };
    await open(
      { historicalSyncOnConnect: true, quotas: more, values },
      { perMinute: 5_000, perWeek: 100_000, days: 60 },
    );
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    expect(await fixture.nights(ada.userKey)).toHaveLength((await fixture.control.truth('ada')).sleeps.length);
    expect((await fixture.call('GET', '/api/v1/oauth/providers/suunto')).body.request_quota.windows).toMatchObject([
      { window_seconds: 60, limit: 5_000 },
    ]);
  });
});

describe('vendor rejections', () => {
  beforeEach(() => open({}, { perMinute: 1_000_000, perWeek: 1_000_000 }));

  it('delays the run if the quota is used up elsewhere', async () => {
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const message = 'Out of call volume quota. Quota will be replenished in 02:00:00.';
    const body = { statusCode: 403, message };
    await fixture.control.addFault({ kind: 'error', status: 403, body, path: '/247samples/sleep', times: 1 });
    expect(await fixture.pull(ada)).toMatchObject({ status: 'in_progress' });
    await fixture.control.clearRequests();
    await fixture.wait(7_000);
    await fixture.reading.settle();
    expect(await fixture.control.requests('/247samples')).toEqual([]);
    await fixture.wait(300);
    await fixture.reading.settle();
    expect(await fixture.lastRun(ada)).toMatchObject({ status: 'success' });
  });

  it.each([401, 403, 404] as const)('skips only an unsubscribed product (%i)', async (status) => {
    await fixture.control.setProduct('sleep', status);
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const types = (await fixture.pull(ada))?.metadata.data_types as Record<string, object>;
    expect(types.sleep).toMatchObject({ status: 'skipped', error: `scope_missing ${status} not_subscribed` });
    for (const type of ['workouts', 'changed_workouts', 'recovery', 'activity', 'daily_statistics']) {
      expect(types[type]).toMatchObject({ status: 'success' });
    }
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  });

  it('skips an unsubscribed product for a day in polls, not in syncs', async () => {
    await fixture.control.setProduct('sleep', 403);
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const requestsAfter = async (hours: number) => {
      await fixture.control.clearRequests();
      await fixture.wait(hours * 3_600);
      await schedulePulls(fixture.reading.services, ['suunto'], new AbortController().signal);
      await fixture.wait(3_600);
      await fixture.reading.settle();
      const paths = (await fixture.control.requests('/247samples')).map(({ path }) => path);
      return { sleep: paths.filter((path) => path.endsWith('/sleep')).length, others: paths.length > 1 };
    };
    expect(await requestsAfter(6)).toEqual({ sleep: 0, others: true });
    expect(await requestsAfter(6)).toEqual({ sleep: 0, others: true });
    expect(await requestsAfter(14)).toEqual({ sleep: 1, others: true });
    await fixture.control.setProduct('sleep', null);
    expect((await fixture.pull(ada))?.metadata.data_types).toMatchObject({ sleep: { status: 'success' } });
    expect(await requestsAfter(6)).toEqual({ sleep: 1, others: true });
  });

  it('requests a rejected product again after a new consent', async () => {
    await fixture.control.setProduct('sleep', 403);
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.control.setProduct('sleep', null);
    await fixture.control.clearRequests();
    await fixture.connect('ada', ada.userId);
    await fixture.reading.settle();
    expect((await fixture.control.requests('/247samples/sleep')).length).toBeGreaterThan(0);
  });

  it('finds daily totals again after the vendor moves the endpoint', async () => {
    const message = { statusCode: 404, message: 'Resource not found' };
    const place = { path: '/247samples/daily', times: null } as const;
    await fixture.control.addFault({ kind: 'error', status: 404, body: message, ...place });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.control.clearRequests();
    await fixture.pull(ada);
    const paths = (await fixture.control.requests('daily-activity-statistics')).map(({ path }) => path);
    expect(paths).toEqual(['/247/daily-activity-statistics']);
    // The vendor moves the endpoint back to its first path, and the service finds it again.
    await fixture.control.clearFaults();
    await fixture.control.addFault({ kind: 'error', status: 404, body: message, path: '/247/daily', times: null });
    expect((await fixture.pull(ada))?.metadata.data_types).toMatchObject({ daily_statistics: { status: 'success' } });
  });

  it.each([
    ['a wrong subscription key', 401],
    ['a subscription without any product', 403],
  ] as const)('keeps the connection after an operator error for %s', async (_, status) => {
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    for (const product of ['workouts', 'sleep', 'recovery', 'activity', 'daily'] as const) {
      await fixture.control.setProduct(product, status);
    }
    const run = await fixture.pull(ada);
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('misconfigured') });
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  });
});
