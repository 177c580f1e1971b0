import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { interruptedAfter } from '../../support/interrupted-signal.js';
import { type BackfillFixture, DAY, HOUR, openBackfillFixture } from './backfill-fixture.js';
import { openGarminFixture } from './garmin-fixture.js';

let fixture: BackfillFixture;
beforeEach(async () => {
  fixture = await openBackfillFixture();
});
afterEach(() => fixture.close());

describe('the backfill', () => {
  it('requests 30 days once per type in one window', async () => {
    await fixture.connect('ada');
    await fixture.reading.settle();
    expect((await fixture.asked()).every(({ status }) => status === 202)).toBe(true);
    expect(await fixture.requestedTypes()).toEqual(
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
    const [first] = await fixture.asked();
    const query = new URL(first?.path ?? '', 'http://x').searchParams;
    const [from, to] = ['Start', 'End'].map((name) => Number(query.get(`summary${name}TimeInSeconds`)));
    expect(to! - from!).toBeGreaterThan(30 * DAY - 60);
    expect(to! - from!).toBeLessThanOrEqual(30 * DAY);
  });

  it('keeps the run open with progress until all data has arrived', async () => {
    await fixture.control.setExportDelay(2 * HOUR);
    const ada = await fixture.connect('ada');
    await fixture.work();
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
    expect(await fixture.lastBackfill(ada)).toMatchObject({
      status: 'in_progress',
      metadata: { outstanding: open.outstanding },
    });
    await fixture.wait(2 * HOUR + 1);
    await fixture.work();
    expect((await fixture.steps(ada)).length).toBe(12);
    // After the first batch the service cannot determine how many batches follow.
    expect((await fixture.backfill(ada)).outstanding).toContain('dailies');
    await fixture.wait(5 * HOUR);
    await fixture.work();
    expect((await fixture.backfill(ada)).outstanding).toContain('dailies');
    await fixture.wait(2 * HOUR);
    await fixture.work();
    const later = await fixture.backfill(ada);
    expect(later.windows['0'].dailies).toBe('done');
    expect(later.outstanding).toContain('mct');
    await fixture.wait(17 * HOUR);
    await fixture.work();
    expect(await fixture.backfill(ada)).toMatchObject({
      overall_status: 'complete',
      in_progress: false,
      outstanding: [],
      windows: { '0': { dailies: 'done', mct: 'timed_out' } },
    });
    expect(await fixture.lastBackfill(ada)).toMatchObject({ status: 'success' });
  });

  it('counts a run with pending deliveries as waiting only after a day', async () => {
    await fixture.control.setExportDelay(2 * HOUR);
    const ada = await fixture.connect('ada');
    await fixture.work();
    const causesAt = async (path: string, member: string): Promise<string[]> =>
      (await fixture.call('GET', path)).body[member].map(({ cause }: { cause: string }) => cause);
    const causes = () => causesAt(`/api/v1/users/${ada.userId}/diagnosis`, 'providers');
    const age = (time: string) =>
      fixture.pool.query(
        `with run as (update sync_run set created_at = created_at - $1::interval where source = 'backfill')
         update vendor_export set requested_at = requested_at - $1::interval`,
        [time],
      );
    await age('1 hour');
    expect(await causes()).not.toContain('run_waiting');
    expect(await causesAt('/api/v1/diagnosis', 'groups')).not.toContain('run_waiting');
    await age('1 day');
    expect(await causes()).toEqual(['run_waiting']);
  });

  it("stores the vendor's complete history", async () => {
    const ada = await fixture.connect('ada');
    await fixture.work();
    const truth = await fixture.control.truth('ada');
    expect((await fixture.steps(ada)).map(({ value }) => value)).toEqual(truth.days.map((day) => day.steps));
    expect((await fixture.nights(ada.userKey)).filter(({ is_nap }) => !is_nap)).toHaveLength(truth.nights.length);
  });

  it('does not count current data as history', async () => {
    await fixture.control.setExportDelay(10 * HOUR);
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.wait(HOUR);
    await fixture.control.growHistory('ada', { seed: 7, days: 1 });
    await fixture.work();
    const { types } = await fixture.backfill(ada);
    expect(types.find(({ type }: { type: string }) => type === 'dailies')).toMatchObject({
      items: 0,
      state: 'requested',
    });
  });

  it('requests history only after a consent to history', async () => {
    await fixture.control.setConsent({ scopes: ['HEALTH_EXPORT'] });
    const ada = await fixture.connect('ada');
    await fixture.work();
    expect(await fixture.asked()).toEqual([]);
    expect(await fixture.lastBackfill(ada)).toMatchObject({
      status: 'skipped',
      message: expect.stringContaining('HISTORICAL_DATA_EXPORT'),
    });
    await fixture.control.setConsent({});
    await fixture.connect('ada', ada.userId);
    await fixture.work();
    expect((await fixture.steps(ada)).length).toBe(12);
  });

  it('requests history that the user grants later at the vendor', async () => {
    await fixture.control.setConsent({ scopes: ['HEALTH_EXPORT'] });
    const ada = await fixture.connect('ada');
    await fixture.work();
    expect(await fixture.lastBackfill(ada)).toMatchObject({ status: 'skipped' });
    await fixture.wait(60);
    await fixture.control.changePermissions('ada', ['HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT']);
    await fixture.work();
    await fixture.work();
    expect((await fixture.requestedTypes()).has('dailies')).toBe(true);
    expect((await fixture.steps(ada)).length).toBe(12);
  });

  it('requests history on demand', async () => {
    const quiet = await openGarminFixture({ historicalSyncOnConnect: false });
    try {
      await quiet.control.addAccount({ id: 'ada' });
      const ada = await quiet.connect('ada');
      await quiet.reading.settle();
      expect(await quiet.control.requests('/backfill/')).toEqual([]);
      const { status, body } = await quiet.call('POST', fixture.route(ada, 'sync/historical?days=90'));
      expect(status).toBe(200);
      expect(body).toMatchObject({
        success: true,
        method: 'webhook_backfill',
        message: expect.stringContaining('30 days'),
      });
      expect(body).not.toHaveProperty('days');
      await quiet.reading.settle();
      expect((await quiet.control.requests('/backfill/')).length).toBe(15);
      expect((await quiet.call('POST', fixture.route(ada, 'sync/historical'))).body).toMatchObject({
        run_id: body.run_id,
      });
    } finally {
      await quiet.close();
    }
  });

  it('never requests an accepted window again', async () => {
    const ada = await fixture.connect('ada');
    await fixture.work();
    await fixture.wait(2 * DAY);
    await fixture.work();
    await fixture.control.clearRequests();
    await fixture.call('POST', fixture.route(ada, 'sync/historical'));
    await fixture.work();
    const windows = (await fixture.asked()).map(({ path: one }) => new URL(one, 'http://x').searchParams);
    for (const query of windows) {
      const length = Number(query.get('summaryEndTimeInSeconds')) - Number(query.get('summaryStartTimeInSeconds'));
      expect(length).toBeLessThan(3 * DAY);
    }
  });
});

describe('the backfill routes', () => {
  it('report a backfill without requests as pending', async () => {
    const userId = await fixture.newUser();
    const unconnected = { userId, userKey: 0, connectionId: '' };
    expect(await fixture.backfill(unconnected)).toMatchObject({
      overall_status: 'pending',
      in_progress: false,
      windows: { '0': {} },
    });
    expect(await fixture.call('POST', fixture.route(unconnected, 'backfill/cancel'))).toMatchObject({
      status: 409,
      body: { detail: 'No backfill in progress for this user' },
    });
    expect(await fixture.call('POST', fixture.route(unconnected, 'backfill/hrv/retry'))).toMatchObject({
      status: 404,
      body: { detail: 'User not connected to garmin' },
    });
  });

  it('stop requests on cancellation but still store deliveries', async () => {
    await fixture.control.setExportDelay(HOUR);
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    expect(await fixture.call('POST', fixture.route(ada, 'backfill/cancel'))).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const cancelled = await fixture.backfill(ada);
    expect(cancelled).toMatchObject({ overall_status: 'cancelled', in_progress: false, permanently_failed: false });
    expect(new Set(Object.values(cancelled.windows['0']))).toEqual(new Set(['pending']));
    expect((await fixture.call('POST', fixture.route(ada, 'backfill/cancel'))).status).toBe(409);
    await fixture.wait(HOUR + 1);
    await fixture.work();
    expect((await fixture.steps(ada)).length).toBe(12);
    expect((await fixture.backfill(ada)).windows['0']).toMatchObject({ dailies: 'done', sleeps: 'done' });
  });

  it('request no window that the vendor accepted before the cancellation', async () => {
    await fixture.control.setExportDelay(HOUR);
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.call('POST', fixture.route(ada, 'backfill/cancel'));
    await fixture.control.clearRequests();
    const { body } = await fixture.call('POST', fixture.route(ada, 'sync/historical'));
    expect(body.message).toMatch(/was already requested/);
    await fixture.work();
    expect(await fixture.asked()).toEqual([]);
  });

  it('explain why no history is requested without the grant', async () => {
    await fixture.control.setConsent({ scopes: ['HEALTH_EXPORT'] });
    const ada = await fixture.connect('ada');
    const { body } = await fixture.call('POST', fixture.route(ada, 'sync/historical'));
    expect(body.message).toMatch(/did not grant access to the history/);
  });

  it('show a type as done after its first delivery', async () => {
    const ada = await fixture.connect('ada');
    await fixture.work();
    expect(await fixture.backfill(ada)).toMatchObject({
      overall_status: 'in_progress',
      windows: { '0': { dailies: 'done', sleeps: 'done' } },
      summary: { dailies: { done: 1 } },
    });
  });

  it('request one failed type again', async () => {
    await fixture.control.addFault({ kind: 'error', status: 404, path: '/backfill/hrv' });
    const ada = await fixture.connect('ada');
    await fixture.work();
    expect((await fixture.backfill(ada)).windows['0'].hrv).toBe('failed');
    expect(await fixture.call('POST', fixture.route(ada, 'backfill/hrv/retry'))).toMatchObject({
      status: 200,
      body: { success: true, type: 'hrv', status: 'triggered' },
    });
    await fixture.work();
    expect((await fixture.samples(ada.userKey, 'heart_rate_variability_rmssd')).length).toBeGreaterThan(0);
  });

  it('list the valid types if a type is not exported', async () => {
    const ada = await fixture.connect('ada');
    const { status, body } = await fixture.call('POST', fixture.route(ada, 'backfill/moods/retry'));
    expect(status).toBe(400);
    expect(body.detail).toMatch(
      /^Invalid type: moods\. Valid types: sleeps, dailies, activities, activityDetails, hrv/,
    );
  });

  it('respond 501 for a vendor without exports', async () => {
    const userId = await fixture.newUser();
    expect((await fixture.call('GET', `/api/v1/providers/whoop/users/${userId}/backfill/status`)).status).toBe(501);
  });
});

it('stores the history once despite interruptions', async () => {
  const ada = await fixture.connect('ada');
  for (let looks = 0; looks < 11; looks++) {
    await fixture.reading.requestExports(interruptedAfter(looks)).catch(() => undefined);
  }
  await fixture.work();
  const statuses = (await fixture.asked()).map(({ status }) => status);
  expect(statuses.filter((status) => status === 202)).toHaveLength(15);
  const truth = await fixture.control.truth('ada');
  expect((await fixture.steps(ada)).map(({ value }) => value)).toEqual(truth.days.map((day) => day.steps));
});
