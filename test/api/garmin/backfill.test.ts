import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedUser, type GarminFixture, openGarminFixture } from './garmin-fixture.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;

let fixture: GarminFixture;
beforeEach(async () => {
  fixture = await openGarminFixture({ historicalSyncOnConnect: true });
  await fixture.control.addAccount({ id: 'ada' });
  await fixture.control.seedHistory('ada', { seed: 7, days: 12 });
  await fixture.control.setPushTarget({ url: fixture.address, batchSize: 20 });
});
afterEach(() => fixture.close());

/** Requests what is due, lets the vendor deliver, and reads it. */
const work = async () => {
  await fixture.reading.settle();
  await fixture.control.pushes();
  await fixture.reading.settle();
};
const asked = async () => (await fixture.control.requests('/backfill/')).map(({ path, status }) => ({ path, status }));
const typesAsked = async () => new Set((await asked()).map(({ path }) => /backfill\/(\w+)/.exec(path)?.[1]));
const path = ({ userId }: ConnectedUser, rest: string) => `/api/v1/providers/garmin/users/${userId}/${rest}`;
const steps = (user: ConnectedUser) => fixture.samples(user.userKey, 'steps', 1);
const backfillRun = async (user: ConnectedUser) =>
  (await fixture.reading.runsOf(user.userKey)).findLast(({ source }) => source === 'backfill');

describe('the past', () => {
  it('the past is requested with the first consent, once for each kind, 30 days back from it and in one window', async () => {
    await fixture.connect('ada');
    await fixture.reading.settle();
    expect((await asked()).every(({ status }) => status === 202)).toBe(true);
    expect(await typesAsked()).toEqual(
      new Set([
        'sleeps',
        'dailies',
        'activities',
        'activityDetails',
        'hrv',
        'epochs',
        'bodyComps',
        'stressDetails',
        'userMetrics',
        'respiration',
        'pulseOx',
        'bloodPressures',
        'skinTemp',
        'healthSnapshot',
        'mct',
      ]),
    );
    const [first] = await asked();
    const query = new URL(first?.path ?? '', 'http://x').searchParams;
    const [from, to] = ['Start', 'End'].map((name) => Number(query.get(`summary${name}TimeInSeconds`)));
    expect(to! - from!).toBeGreaterThan(30 * DAY - 60);
    expect(to! - from!).toBeLessThanOrEqual(30 * DAY);
  });

  it('a run stays open until its data came, over hours and several batches, and shows what is outstanding while lists are empty', async () => {
    await fixture.control.setExportDelay(2 * HOUR);
    const ada = await fixture.connect('ada');
    await work();
    const open = await fixture.backfill(ada);
    expect(open).toMatchObject({ overall_status: 'in_progress', in_progress: true, total_windows: 1 });
    expect(open.outstanding).toContain('dailies');
    expect(open.windows['0'].dailies).toBe('pending');
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active', last_synced_at: null });
    const days = `start_date=${new Date(Date.now() - 30 * DAY * 1_000).toISOString()}&end_date=${new Date().toISOString()}`;
    for (const list of ['summaries/activity', 'summaries/sleep', 'summaries/recovery', 'health-scores']) {
      expect(await fixture.call('GET', `/api/v1/users/${ada.userId}/${list}?${days}`), list).toMatchObject({
        status: 200,
        body: { data: [] },
      });
    }
    expect(await backfillRun(ada)).toMatchObject({
      status: 'in_progress',
      metadata: { outstanding: open.outstanding },
    });
    await fixture.wait(2 * HOUR + 1);
    await work();
    expect((await steps(ada)).length).toBe(12);
    // The first batch says nothing of how many follow.
    expect((await fixture.backfill(ada)).outstanding).toContain('dailies');
    await fixture.wait(5 * HOUR);
    await work();
    expect((await fixture.backfill(ada)).outstanding).toContain('dailies');
    await fixture.wait(2 * HOUR);
    await work();
    const later = await fixture.backfill(ada);
    expect(later.windows['0'].dailies).toBe('done');
    expect(later.outstanding).toContain('mct');
    await fixture.wait(17 * HOUR);
    await work();
    expect(await fixture.backfill(ada)).toMatchObject({
      overall_status: 'complete',
      in_progress: false,
      outstanding: [],
      windows: { '0': { dailies: 'done', mct: 'timed_out' } },
    });
    expect(await backfillRun(ada)).toMatchObject({ status: 'success' });
  });

  it('all of the past that the vendor gives is stored', async () => {
    const ada = await fixture.connect('ada');
    await work();
    const truth = await fixture.control.truth('ada');
    expect((await steps(ada)).map(({ value }) => value)).toEqual(truth.days.map((day) => day.steps));
    expect((await fixture.nights(ada.userKey)).filter(({ is_nap }) => !is_nap)).toHaveLength(truth.nights.length);
  });

  it('what happens now is no sign that the past has come', async () => {
    await fixture.control.setExportDelay(10 * HOUR);
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.wait(HOUR);
    await fixture.control.growHistory('ada', { seed: 7, days: 1 });
    await work();
    const { types } = await fixture.backfill(ada);
    expect(types.find(({ type }: { type: string }) => type === 'dailies')).toMatchObject({
      items: 0,
      state: 'requested',
    });
  });

  it('nothing is requested of the past without a consent to it, and a later consent brings it', async () => {
    await fixture.control.setConsent({ permissions: ['HEALTH_EXPORT'] });
    const ada = await fixture.connect('ada');
    await work();
    expect(await asked()).toEqual([]);
    expect(await backfillRun(ada)).toMatchObject({
      status: 'skipped',
      message: expect.stringContaining('HISTORICAL_DATA_EXPORT'),
    });
    await fixture.control.setConsent({});
    await fixture.connect('ada', ada.userId);
    await work();
    expect((await steps(ada)).length).toBe(12);
  });

  it('a past that the person ticks later at the vendor is requested then', async () => {
    await fixture.control.setConsent({ permissions: ['HEALTH_EXPORT'] });
    const ada = await fixture.connect('ada');
    await work();
    expect(await backfillRun(ada)).toMatchObject({ status: 'skipped' });
    await fixture.wait(60);
    await fixture.control.changePermissions('ada', ['HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT']);
    await work();
    await work();
    expect((await typesAsked()).has('dailies')).toBe(true);
    expect((await steps(ada)).length).toBe(12);
  });

  it('a past that is not read on connect is read on request, and the answer says how far', async () => {
    const quiet = await openGarminFixture({ historicalSyncOnConnect: false });
    try {
      await quiet.control.addAccount({ id: 'ada' });
      const ada = await quiet.connect('ada');
      await quiet.reading.settle();
      expect(await quiet.control.requests('/backfill/')).toEqual([]);
      const { status, body } = await quiet.call('POST', path(ada, 'sync/historical?days=90'));
      expect(status).toBe(200);
      expect(body).toMatchObject({
        success: true,
        method: 'webhook_backfill',
        message: expect.stringContaining('30 days'),
      });
      expect(body).not.toHaveProperty('days');
      await quiet.reading.settle();
      expect((await quiet.control.requests('/backfill/')).length).toBe(15);
      expect((await quiet.call('POST', path(ada, 'sync/historical'))).body).toMatchObject({ run_id: body.run_id });
    } finally {
      await quiet.close();
    }
  });

  it('a window that was taken is never requested again', async () => {
    const ada = await fixture.connect('ada');
    await work();
    await fixture.wait(2 * DAY);
    await work();
    await fixture.control.clearRequests();
    await fixture.call('POST', path(ada, 'sync/historical'));
    await work();
    const windows = (await asked()).map(({ path: one }) => new URL(one, 'http://x').searchParams);
    for (const query of windows) {
      const length = Number(query.get('summaryEndTimeInSeconds')) - Number(query.get('summaryStartTimeInSeconds'));
      expect(length).toBeLessThan(3 * DAY);
    }
  });
});

describe('a consent after one that had ended', () => {
  const backfills = async (user: ConnectedUser) =>
    (await fixture.reading.runsOf(user.userKey)).filter(({ source }) => source === 'backfill');
  const disconnect = ({ userId }: ConnectedUser) =>
    fixture.call('DELETE', `/api/v1/users/${userId}/connections/garmin`);

  it('a user who connects again gets the data of the time in between, of at most 30 days', async () => {
    const ada = await fixture.connect('ada');
    await work();
    await fixture.wait(25 * HOUR);
    await work();
    expect(await backfillRun(ada)).toMatchObject({ status: 'success' });
    await disconnect(ada);
    await fixture.wait(40 * DAY);
    await fixture.control.clearRequests();
    await fixture.connect('ada', ada.userId);
    await fixture.reading.settle();
    expect((await typesAsked()).size).toBe(15);
    expect(await asked()).toHaveLength(15);
    const query = new URL((await asked())[0]?.path ?? '', 'http://x').searchParams;
    const [from, to] = ['Start', 'End'].map((name) => Number(query.get(`summary${name}TimeInSeconds`)));
    expect(to! - from!).toBeLessThanOrEqual(30 * DAY);
    expect(await backfills(ada)).toHaveLength(2);
  });

  it('a process that ends between a consent that revives a connection and its request has the past requested later', async () => {
    const ada = await fixture.connect('ada');
    await work();
    await disconnect(ada);
    await work();
    await fixture.control.clearRequests();
    // Nothing that follows the consent is stored.
    await fixture.pool.query(`
      create function refuse_run() returns trigger language plpgsql as $$ begin raise exception 'the process has ended'; end $$;
      create trigger refuse_run before insert on sync_run for each row execute function refuse_run()`);
    await fixture.connect('ada', ada.userId);
    await fixture.pool.query('drop function refuse_run cascade');
    expect(await backfills(ada)).toHaveLength(1);
    await fixture.wait(120);
    await fixture.reading.settle();
    expect((await typesAsked()).size).toBe(15);
    expect((await backfills(ada)).map(({ status }) => status)).toEqual(['cancelled', 'in_progress']);
    // Once is enough.
    const requests = (await asked()).length;
    await fixture.wait(120);
    await fixture.reading.settle();
    expect(await asked()).toHaveLength(requests);
  });

  it('what was requested before the end is not waited for, and is requested again', async () => {
    await fixture.control.setExportDelay(10 * HOUR);
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await disconnect(ada);
    await fixture.connect('ada', ada.userId);
    await fixture.reading.settle();
    expect((await backfills(ada)).map(({ status }) => status)).toEqual(['cancelled', 'in_progress']);
    await fixture.wait(11 * HOUR);
    await work();
    expect((await steps(ada)).length).toBe(12);
  });

  it('another account of the vendor ends the run of the first, and has a past of its own', async () => {
    await fixture.control.addAccount({ id: 'ben' });
    await fixture.control.seedHistory('ben', { seed: 8, days: 5 });
    await fixture.control.setExportDelay(HOUR);
    const user = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.connect('ben', user.userId);
    await fixture.reading.settle();
    expect((await backfills(user)).map(({ status }) => status)).toEqual(['cancelled', 'in_progress']);
    await fixture.wait(2 * HOUR);
    await work();
    expect((await steps(user)).length).toBe(5);
  });

  it('a consent that only repeats one that holds requests nothing again', async () => {
    const ada = await fixture.connect('ada');
    await work();
    await fixture.wait(25 * HOUR);
    await work();
    await fixture.control.clearRequests();
    await fixture.connect('ada', ada.userId);
    await work();
    expect(await asked()).toEqual([]);
  });
});

describe('what the vendor answers', () => {
  it('a window that was requested before is no failure, and no data are awaited', async () => {
    await fixture.control.addFault({
      kind: 'error',
      status: 409,
      path: '/backfill/hrv',
      message: 'Duplicate backfill detected',
    });
    const ada = await fixture.connect('ada');
    await work();
    const { types } = await fixture.backfill(ada);
    expect(types.find(({ type }: { type: string }) => type === 'hrv')).toMatchObject({ state: 'covered' });
  });

  it('a request whose answer was lost is awaited, because the vendor has taken it', async () => {
    await fixture.control.addFault({ kind: 'dropped', path: '/backfill/hrv' });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.wait(120);
    await work();
    const { types } = await fixture.backfill(ada);
    expect(types.find(({ type }: { type: string }) => type === 'hrv')).toMatchObject({ state: 'requested' });
    expect((await asked()).filter(({ path: one }) => one.includes('/hrv')).map(({ status }) => status)).toEqual([
      0, 409,
    ]);
  });

  it('a vendor that goes back less far is asked from where it begins', async () => {
    const begin = new Date(Date.now() - 10 * DAY * 1_000).toISOString();
    const message = `start date before min start time of ${begin}`;
    await fixture.control.addFault({ kind: 'error', status: 400, path: '/backfill/sleeps', message });
    const ada = await fixture.connect('ada');
    await work();
    const [refused, taken] = (await asked()).filter(({ path: one }) => one.includes('/sleeps'));
    expect([refused?.status, taken?.status]).toEqual([400, 202]);
    expect(new URL(taken?.path ?? '', 'http://x').searchParams.get('summaryStartTimeInSeconds')).toBe(
      String(Math.ceil(Date.parse(begin) / 1_000)),
    );
    expect((await fixture.backfill(ada)).windows['0'].sleeps).toBe('pending');
  });

  it('a kind that is switched off in the portal fails alone, and says why', async () => {
    await fixture.control.disableSummaries(['stressDetails']);
    const ada = await fixture.connect('ada');
    await work();
    await fixture.wait(25 * HOUR);
    await work();
    expect(await backfillRun(ada)).toMatchObject({ status: 'partial' });
    const { types, windows } = await fixture.backfill(ada);
    expect(types.find(({ type }: { type: string }) => type === 'stressDetails')).toMatchObject({
      state: 'failed',
      error: 'operator 400 endpoint_not_enabled',
    });
    expect(windows['0'].dailies).toBe('done');
  });

  it('too many requests are made later, and none is lost', async () => {
    await fixture.control.addFault({ kind: 'error', status: 429, after: 3, times: 2, path: '/backfill/' });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    expect((await fixture.backfill(ada)).in_progress).toBe(true);
    for (let round = 0; round < 3; round++) {
      await fixture.wait(90);
      await work();
    }
    expect((await asked()).filter(({ status }) => status === 202)).toHaveLength(15);
  });

  it.each([
    ['403', { kind: 'error', status: 403, path: '/backfill/', times: null } as const],
    ['412', { kind: 'error', status: 412, path: '/backfill/', times: null } as const],
  ])('where the vendor gives nothing of the past (%s), the run fails and the connection stays', async (_, fault) => {
    await fixture.control.addFault(fault);
    const ada = await fixture.connect('ada');
    await work();
    expect(await asked()).toHaveLength(1);
    expect(await fixture.backfill(ada)).toMatchObject({
      overall_status: 'permanently_failed',
      permanently_failed: true,
    });
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  });

  it.each([401, 404])('a %i of one kind that does not pass fails that kind alone', async (status) => {
    await fixture.control.addFault({ kind: 'error', status, path: '/backfill/mct', times: null });
    const ada = await fixture.connect('ada');
    await work();
    const { windows } = await fixture.backfill(ada);
    expect(windows['0']).toMatchObject({ mct: 'failed', dailies: 'pending' });
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  });

  it('a server that fails is asked again until it answers', async () => {
    await fixture.control.addFault({ kind: 'error', status: 503, path: '/backfill/dailies', times: 2 });
    const ada = await fixture.connect('ada');
    await work();
    for (let round = 0; round < 4; round++) {
      await fixture.wait(300);
      await work();
    }
    expect((await steps(ada)).length).toBe(12);
  });

  it('a person who revokes meanwhile ends the run, and the vendor is asked for nothing more', async () => {
    await fixture.control.addFault({ kind: 'error', status: 503, path: '/backfill/', times: null });
    const ada = await fixture.connect('ada');
    await work();
    await fixture.control.deregister('ada');
    await work();
    await fixture.control.clearRequests();
    await fixture.wait(2 * HOUR);
    await work();
    expect(await backfillRun(ada)).toMatchObject({ status: 'cancelled' });
    expect(await asked()).toEqual([]);
  });
});

describe('by hand', () => {
  it('before anything was requested the status is pending, and there is nothing to cancel', async () => {
    const userId = await fixture.newUser();
    const nobody = { userId, userKey: 0, connectionId: '' };
    expect(await fixture.backfill(nobody)).toMatchObject({
      overall_status: 'pending',
      in_progress: false,
      windows: { '0': {} },
    });
    expect(await fixture.call('POST', path(nobody, 'backfill/cancel'))).toMatchObject({
      status: 409,
      body: { detail: 'No backfill in progress for this user' },
    });
    expect(await fixture.call('POST', path(nobody, 'backfill/hrv/retry'))).toMatchObject({
      status: 404,
      body: { detail: 'User not connected to garmin' },
    });
  });

  it('a run that is cancelled asks for nothing more, and what comes all the same is stored', async () => {
    await fixture.control.setExportDelay(HOUR);
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    expect(await fixture.call('POST', path(ada, 'backfill/cancel'))).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await fixture.backfill(ada)).toMatchObject({ overall_status: 'cancelled', in_progress: false });
    expect((await fixture.call('POST', path(ada, 'backfill/cancel'))).status).toBe(409);
    await fixture.wait(HOUR + 1);
    await work();
    expect((await steps(ada)).length).toBe(12);
  });

  it('one kind that failed is requested again', async () => {
    await fixture.control.addFault({ kind: 'error', status: 404, path: '/backfill/hrv' });
    const ada = await fixture.connect('ada');
    await work();
    expect((await fixture.backfill(ada)).windows['0'].hrv).toBe('failed');
    expect(await fixture.call('POST', path(ada, 'backfill/hrv/retry'))).toMatchObject({
      status: 200,
      body: { success: true, type: 'hrv', status: 'triggered' },
    });
    await work();
    expect((await fixture.samples(ada.userKey, 'heart_rate_variability_rmssd')).length).toBeGreaterThan(0);
  });

  it('a kind that is not exported is refused with those that are', async () => {
    const ada = await fixture.connect('ada');
    const { status, body } = await fixture.call('POST', path(ada, 'backfill/moods/retry'));
    expect(status).toBe(400);
    expect(body.detail).toMatch(
      /^Invalid type: moods\. Valid types: sleeps, dailies, activities, activityDetails, hrv/,
    );
  });

  it('a vendor without exports has no such routes', async () => {
    const userId = await fixture.newUser();
    expect((await fixture.call('GET', `/api/v1/providers/whoop/users/${userId}/backfill/status`)).status).toBe(501);
  });
});

it('a backfill that is interrupted anywhere asks for everything once, and stores all of it once', async () => {
  const ada = await fixture.connect('ada');
  for (let kill = 1; kill < 12; kill++) {
    const controller = new AbortController();
    let left = kill;
    // The process ends after this many looks at whether it is to stop.
    const signal = new Proxy(controller.signal, {
      get(target, name) {
        if (name === 'throwIfAborted' && --left <= 0) controller.abort(new Error('killed'));
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await fixture.reading.requestExports(signal).catch(() => undefined);
  }
  await work();
  const statuses = (await asked()).map(({ status }) => status);
  expect(statuses.filter((status) => status === 202)).toHaveLength(15);
  const truth = await fixture.control.truth('ada');
  expect((await steps(ada)).map(({ value }) => value)).toEqual(truth.days.map((day) => day.steps));
});
