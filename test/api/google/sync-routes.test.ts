import { MS_PER_DAY } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GoogleFixture, GRANTS, openGoogleFixture } from './google-fixture.js';

let fixture: GoogleFixture;
let anna: Awaited<ReturnType<GoogleFixture['connect']>>;
let working: NodeJS.Timeout;

beforeAll(async () => {
  fixture = await openGoogleFixture({ now: '2026-11-10T12:00:00Z' });
  await fixture.control.addAccount({ id: 'anna', timeZone: 'UTC', grants: GRANTS.activity });
  anna = await fixture.connect('anna');
  await fixture.reading.settle();
});
afterAll(() => fixture.close());

const path = (rest = 'sync', provider = 'google', user = anna.userId) =>
  `/api/v1/providers/${provider}/users/${user}/${rest}`;
const post = (rest?: string, provider?: string, user?: string) => fixture.call('POST', path(rest, provider, user));
const steps = (hour: string, value: number) => ({
  dataType: 'steps',
  value,
  startTime: `2026-11-10T${hour}:00:00Z`,
  endTime: `2026-11-10T${hour}:10:00Z`,
});

/** Runs jobs in the background until `work` completes. */
async function whileJobsRun<T>(work: () => Promise<T>): Promise<T> {
  let settling: Promise<void> | undefined;
  working = setInterval(() => {
    settling ??= fixture.reading.settle().finally(() => {
      settling = undefined;
    });
  }, 50);
  try {
    return await work();
  } finally {
    clearInterval(working);
    await settling;
  }
}

describe('POST sync', () => {
  it('returns a trackable run, or the run that is already open', async () => {
    const first = await post();
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      success: true,
      async: true,
      message: 'Google Health sync accepted',
      run_id: expect.stringMatching(/^pull_/),
      task_id: first.body.run_id,
    });
    const run = await fixture.call('GET', `/api/v1/sync/runs/${first.body.run_id}`);
    expect(run.body).toMatchObject({ stage: 'queued', status: 'in_progress', source: 'pull', user_id: anna.userId });
    expect((await post()).body).toMatchObject({ run_id: first.body.run_id });
    await fixture.reading.settle();
    const ended = await fixture.call('GET', `/api/v1/sync/runs/${first.body.run_id}`);
    expect(ended.body).toMatchObject({ stage: 'completed', status: 'success', progress: 1 });
  });

  it.each(['-1', '1777000000000000', 'monday'])('responds 422 to since=%s', async (since) => {
    expect((await post(`sync?since=${since}`)).status).toBe(422);
  });

  it('reports every data type with async=false', async () => {
    await fixture.control.addPoints('anna', [steps('08', 500)], { notify: false });
    const { body } = await whileJobsRun(() => post('sync?async=false'));
    expect(body).toMatchObject({ success: true, async: false, status: 'success' });
    expect(body.details).toMatchObject({ workouts: 0, data_247: { steps: 1, distance: 0 } });
    expect(body.data_types.steps).toMatchObject({ status: 'success', inserted: 1 });
    expect(body.data_types.sleep).toMatchObject({ status: 'skipped', error: 'scope_missing' });
    const again = await whileJobsRun(() => post('sync?async=false'));
    expect(again.body).toMatchObject({ success: true, details: { data_247: { steps: 0 } } });
  });

  it('reads only the requested data type, from the requested time', async () => {
    await fixture.control.clearRequests();
    const { body } = await whileJobsRun(() => post('sync?async=false&data_type=workouts'));
    expect(Object.keys(body.data_types)).toEqual(['exercise']);
    expect(body.details).toEqual({ workouts: 0 });
    expect(Object.keys((await fixture.control.requestCounts()).anna ?? {})).not.toContain('steps');

    const old = { ...steps('08', 77), startTime: '2026-10-01T08:00:00Z', endTime: '2026-10-01T08:10:00Z' };
    await fixture.control.addPoints('anna', [old], { notify: false });
    const before = await fixture.reading.cursorsOf(anna.connectionId);
    const since = Date.parse('2026-09-30T00:00:00Z') / 1_000;
    const far = await whileJobsRun(() => post(`sync?async=false&data_type=247&since=${since}`));
    expect(far.body.data_types.steps).toMatchObject({ inserted: 1 });
    expect(Object.keys(far.body.data_types)).not.toContain('exercise');
    expect((await fixture.reading.cursorsOf(anna.connectionId)).steps! >= before.steps!).toBe(true);
  });

  it('accepts the parameters of existing clients', async () => {
    const query = 'limit=50&offset=0&samples=true&zones=false&route=false&filter_by_modification_time=true';
    expect((await post(`sync?${query}&summary_start_time=2026-01-01`)).status).toBe(200);
    await fixture.reading.settle();
    expect((await post('sync?limit=101')).status).toBe(422);
    expect((await post('sync?data_type=sleep')).status).toBe(422);
  });

  it('runs in webhook mode', async () => {
    await fixture.reading.connections.uses.change('google', { liveSyncMode: 'webhook' });
    await fixture.reading.connections.uses.setSubscriberState('google', 'active');
    const { body } = await whileJobsRun(() => post('sync?async=false'));
    expect(body).toMatchObject({ success: true, status: 'success' });
    await fixture.reading.connections.uses.change('google', { liveSyncMode: 'pull' });
  });
});

describe('users who cannot be synced', () => {
  it('are rejected immediately, even in async mode', async () => {
    const { id } = (await fixture.call('POST', '/api/v1/users', {})).body;
    for (const rest of ['sync', 'sync?async=false', 'sync/historical']) {
      expect(await post(rest, 'google', id)).toMatchObject({
        status: 404,
        body: { detail: 'User not connected to google' },
      });
    }
    const unknownUser = '00000000-0000-4000-8000-000000000000';
    expect(await post('sync', 'google', unknownUser)).toMatchObject({
      status: 404,
      body: { detail: `User with ID: ${unknownUser} not found.` },
    });
  });

  it('get the reason if the provider cannot be polled', async () => {
    expect(await post('sync', 'apple')).toMatchObject({
      status: 400,
      body: { detail: "Provider 'apple' does not support sync." },
    });
    expect(await post('sync/historical', 'apple')).toMatchObject({
      status: 400,
      body: { detail: "Provider 'apple' does not support historical sync." },
    });
    expect((await post('sync', 'acme')).status).toBe(422);
    expect((await fixture.call('GET', path('workouts', 'apple'))).status).toBe(501);
    expect((await fixture.call('GET', path('workouts/7', 'apple'))).status).toBe(501);
  });

  it('get 409 for sync and authorization if the provider is disabled', async () => {
    await fixture.reading.connections.uses.change('google', { isEnabled: false });
    const connecting = `/api/v1/oauth/google/authorize?user_id=${anna.userId}`;
    for (const response of [await post(), await post('sync/historical'), await fixture.call('GET', connecting)]) {
      expect([response.status, response.body]).toEqual([409, { detail: "Provider 'google' is disabled" }]);
    }
    await fixture.reading.connections.uses.change('google', { isEnabled: true });
  });
});

describe('a grant that the user revoked at the vendor', () => {
  it('fails the current sync and all later syncs with a 409', async () => {
    await fixture.control.addAccount({ id: 'ben', timeZone: 'UTC', grants: GRANTS.activity });
    const { userId, userKey } = await fixture.connect('ben');
    await fixture.reading.settle();
    await fixture.control.revokeGrants('ben');
    const first = await whileJobsRun(() => post('sync?async=false', 'google', userId));
    expect([first.status, first.body.detail]).toEqual([409, 'google authorization expired. Please re-authorize.']);
    const second = await whileJobsRun(() => post('sync?async=false', 'google', userId));
    expect([second.status, second.body]).toEqual([409, first.body]);
    const run = (await fixture.reading.runsOf(userKey)).find(({ status }) => status === 'failed');
    expect(run?.error).toBe(first.body.detail);
  });
});

describe('POST sync/historical', () => {
  it('reports 90 days for a request for a year', async () => {
    const { status, body } = await post('sync/historical?days=365');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      provider: 'google',
      user_id: anna.userId,
      method: 'pull_api',
      days: 90,
    });
    const days = (Date.parse(body.end_date) - Date.parse(body.start_date)) / MS_PER_DAY;
    expect(days).toBe(90);
    expect((await post('sync/historical?days=7')).body).toMatchObject({
      run_id: body.run_id,
      message: 'A historical sync is already running',
      days: 90,
      start_date: body.start_date,
      end_date: body.end_date,
    });
    const run = await fixture.call('GET', `/api/v1/sync/runs/${body.run_id}`);
    expect(run.body).toMatchObject({ source: 'backfill', metadata: { is_historical: true, days: 90 } });
    expect((await post('sync/historical?days=0')).status).toBe(422);
    expect((await post('sync/historical?days=366')).status).toBe(422);
  });
});
