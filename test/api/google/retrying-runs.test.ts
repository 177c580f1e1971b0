import { MS_PER_HOUR } from '@healthd/model';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type GoogleFixture, GRANTS, openGoogleFixture } from './google-fixture.js';

let fixture: GoogleFixture;
let anna: Awaited<ReturnType<GoogleFixture['connect']>>;

beforeEach(async () => {
  fixture = await openGoogleFixture();
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * MS_PER_HOUR).toISOString();
  await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.activity });
  const walk = { dataType: 'steps', startTime: hoursAgo(4), endTime: hoursAgo(3.9), value: 900 };
  await fixture.control.addPoints('anna', [walk], { notify: false });
  anna = await fixture.connect('anna');
});
afterEach(() => fixture.close());

const get = async (path: string) => (await fixture.call('GET', `/api/v1${path}`)).body;
const runsOf = (userId: string, query = '') => get(`/users/${userId}/sync/runs${query}`);
const connectionOf = async (userId: string) => (await get(`/users/${userId}/connections`))[0];
const stepsFail = (status: number) =>
  fixture.control.addFault({ kind: 'error', status, match: { dataType: 'steps' }, times: null });

it('shows cause, attempt and time of a run that retries a 503', async () => {
  await stepsFail(503);
  await fixture.reading.settle();
  const [waiting] = await runsOf(anna.userId);
  expect(waiting).toMatchObject({
    status: 'in_progress',
    retrying: { reason: expect.stringMatching(/^unavailable 503/), attempt: 2, max_attempts: 6 },
  });
  const inSeconds = (Date.parse(waiting.retrying.next_try_at) - fixture.now().getTime()) / 1_000;
  expect(inSeconds).toBeGreaterThan(0);
  expect(inSeconds).toBeLessThanOrEqual(30);
  const page = await get(`/sync/runs/${waiting.run_id}`);
  expect(page.retrying).toEqual(waiting.retrying);
  expect(page.metadata.data_types.steps).toMatchObject({
    status: 'in_progress',
    error: expect.stringContaining('unavailable 503'),
  });
  expect(page.metadata.data_types.exercise).toMatchObject({ status: 'success' });
  const [event] = await get(`/users/${anna.userId}/sync/recent`);
  expect(event).toMatchObject({ run_id: waiting.run_id, retrying: waiting.retrying });
  expect(await runsOf(anna.userId, '?retrying=true')).toEqual([waiting]);
  expect(await get('/sync/runs?retrying=true')).toEqual([waiting]);

  await fixture.wait(60);
  await fixture.reading.settle();
  expect((await runsOf(anna.userId))[0].retrying).toMatchObject({ attempt: 3, max_attempts: 6 });

  await fixture.control.clearFaults();
  await fixture.wait(120);
  await fixture.reading.settle();
  expect(await runsOf(anna.userId)).toMatchObject([{ status: 'success', retrying: null }]);
  expect(await runsOf(anna.userId, '?retrying=true')).toEqual([]);
  expect(await get(`/sync/runs/${waiting.run_id}`)).toMatchObject({
    metadata: { data_types: { steps: { status: 'success' } } },
  });
});

it("shows the vendor's time for a run that waits for Retry-After", async () => {
  await fixture.control.addFault({
    kind: 'rate_limited',
    retryAfterSeconds: 120,
    retryAfterForm: 'seconds',
    match: { dataType: 'steps' },
    times: null,
  });
  await fixture.reading.settle();
  const [{ retrying }] = await runsOf(anna.userId);
  expect(retrying).toMatchObject({ reason: expect.stringMatching(/^rate_limited 429/), attempt: 2, max_attempts: 25 });
  const inSeconds = (Date.parse(retrying.next_try_at) - fixture.now().getTime()) / 1_000;
  expect(inSeconds).toBeGreaterThan(100);
  expect(inSeconds).toBeLessThan(125);
});

it('shows the failure of a connection until a success', async () => {
  await fixture.reading.settle();
  expect(await connectionOf(anna.userId)).toMatchObject({ last_error: null, failing_since: null, next_try_at: null });
  await stepsFail(503);
  await fixture.pull(anna);
  const failing = await connectionOf(anna.userId);
  expect(failing.last_error).not.toBeNull();
  expect(failing.failing_since).toBe(failing.last_error_at);
  expect(failing.next_try_at).toBe((await runsOf(anna.userId))[0].retrying.next_try_at);

  // Waits until no attempt is left. The connection then shows the ended run's error, and the next poll as its next try.
  for (let hour = 0; hour < 8; hour++) {
    await fixture.wait(3_600);
    await fixture.reading.settle();
  }
  const ended = await connectionOf(anna.userId);
  expect(ended.failing_since).toBe(failing.failing_since);
  expect(Date.parse(ended.next_try_at)).toBeGreaterThan(fixture.now().getTime() - 60_000);
  expect(ended.last_error).not.toBe(failing.last_error);
  expect(Date.parse(ended.last_error_at)).toBeGreaterThan(Date.parse(failing.last_error_at));

  // Reading another data type reveals nothing about the failing data type.
  await fixture.call('POST', `/api/v1/providers/google/users/${anna.userId}/sync?data_type=workouts`);
  await fixture.reading.settle();
  expect((await runsOf(anna.userId))[0].status).toBe('success');
  expect((await connectionOf(anna.userId)).failing_since).toBe(failing.failing_since);

  await fixture.control.clearFaults();
  await fixture.pull(anna);
  expect(await connectionOf(anna.userId)).toMatchObject({
    last_error: null,
    last_error_at: null,
    failing_since: null,
    next_try_at: null,
  });
});

it('clears the error on disconnect', async () => {
  await fixture.reading.settle();
  await stepsFail(503);
  await fixture.pull(anna);
  expect((await connectionOf(anna.userId)).failing_since).not.toBeNull();
  await fixture.call('DELETE', `/api/v1/users/${anna.userId}/connections/google`);
  await fixture.reading.settle();
  expect(await connectionOf(anna.userId)).toMatchObject({ status: 'revoked', last_error: null, next_try_at: null });
});

it('shows why a grant ended', async () => {
  await fixture.reading.settle();
  await fixture.control.expireAccessTokens('anna');
  await fixture.control.addFault({
    kind: 'oauth_error',
    error: 'invalid_grant',
    match: { role: 'token' },
    times: null,
  });
  await fixture.pull(anna);
  const revoked = await connectionOf(anna.userId);
  expect(revoked).toMatchObject({ status: 'revoked', next_try_at: null });
  expect(revoked.last_error).toBe('google authorization expired. Please re-authorize.');
});

it('fails only the permanently failing type, with its error', async () => {
  await stepsFail(500);
  for (let hour = 0; hour < 8; hour++) {
    await fixture.reading.settle();
    await fixture.wait(3_600);
  }
  const [run] = await runsOf(anna.userId);
  expect(run).toMatchObject({ status: 'partial', retrying: null });
  const { data_types: types } = (await get(`/sync/runs/${run.run_id}`)).metadata;
  expect(types.steps).toMatchObject({ status: 'failed', error: expect.stringContaining('unavailable 500') });
  expect(types.exercise).toMatchObject({ status: 'success' });
});

it('ends the runs of both users of a shared account together', async () => {
  const ben = await fixture.connect('anna');
  await stepsFail(503);
  await fixture.reading.settle();
  const sharedRun = (await runsOf(ben.userId)).find(({ source }: { source: string }) => source === 'linked_account');
  expect(sharedRun).toMatchObject({ status: 'in_progress', retrying: { attempt: 2 } });
  await fixture.control.clearFaults();
  await fixture.wait(60);
  await fixture.reading.settle();
  expect(await get(`/sync/runs/${sharedRun.run_id}`)).toMatchObject({ status: 'success', retrying: null });
  expect(await connectionOf(ben.userId)).toMatchObject({ last_error: null, next_try_at: null });
});
