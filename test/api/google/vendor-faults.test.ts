import { MS_PER_HOUR, SECONDS_PER_DAY } from '@healthd/model';
import type { GoogleFault } from '@healthd/simulators';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GoogleFixture, GRANTS, openGoogleFixture } from './google-fixture.js';

let fixture: GoogleFixture;
let anna: Awaited<ReturnType<GoogleFixture['connect']>>;

beforeEach(async () => {
  // Uses real time, because the service compares a Retry-After date with the real clock.
  fixture = await openGoogleFixture();
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * MS_PER_HOUR).toISOString();
  await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.activity });
  const walk = { dataType: 'steps', startTime: hoursAgo(4), endTime: hoursAgo(3.9), value: 900 };
  await fixture.control.addPoints('anna', [walk], { notify: false });
  anna = await fixture.connect('anna');
});
afterEach(() => fixture.close());

const lastRun = async () => (await fixture.reading.runsOf(anna.userKey)).at(-1);
const stored = () => fixture.samples(anna.userKey, 'steps');
const fault = (kind: GoogleFault) => fixture.control.addFault(kind);
const connection = async () => (await fixture.call('GET', `/api/v1/users/${anna.userId}/connections`)).body[0];

describe('429 with Retry-After', () => {
  it.each(['seconds', 'date'] as const)('(in %s) delays the run without further requests', async (retryAfterForm) => {
    await fault({
      kind: 'rate_limited',
      retryAfterSeconds: 120,
      retryAfterForm,
      match: { dataType: 'steps' },
      times: null,
    });
    await fixture.reading.settle();
    expect(await lastRun()).toMatchObject({
      status: 'in_progress',
      message: expect.stringContaining('rate limit'),
    });
    await fixture.control.clearFaults();
    await fixture.control.clearRequests();
    await fixture.wait(100);
    await fixture.reading.settle();
    expect(await fixture.control.requests({ role: 'api' })).toEqual([]);
    await fixture.wait(60);
    await fixture.reading.settle();
    expect(await lastRun()).toMatchObject({ status: 'success' });
    expect(await stored()).toHaveLength(1);
  });
});

describe('a server that fails', () => {
  it('causes no data loss after responding 500 twice', async () => {
    await fault({ kind: 'error', status: 500, match: { dataType: 'steps' }, times: 2 });
    await fixture.reading.settle();
    expect(await lastRun()).toMatchObject({ status: 'success' });
    expect(await stored()).toHaveLength(1);
  });

  it.each<[string, GoogleFault]>([
    ['a 502 with a page of HTML', { kind: 'bad_gateway' }],
    ['a truncated response', { kind: 'truncated' }],
    ['a cut connection', { kind: 'dropped' }],
  ])('delays only the affected data type after %s', async (_, kind) => {
    await fault({ ...kind, match: { dataType: 'steps' }, times: null });
    await fixture.reading.settle();
    const run = await lastRun();
    expect(run).toMatchObject({ status: 'in_progress' });
    const cursors = await fixture.reading.cursorsOf(anna.connectionId);
    expect(cursors.steps).toBeUndefined();
    expect(cursors.exercise).toBeDefined();
    await fixture.control.clearFaults();
    await fixture.wait(60);
    await fixture.reading.settle();
    expect(await lastRun()).toMatchObject({ run_id: run?.run_id, status: 'success' });
    expect(await stored()).toHaveLength(1);
  });

  it('leaves no gap after hours of failure', async () => {
    await fault({ kind: 'error', status: 503, match: { dataType: 'steps' }, times: null });
    for (let hour = 0; hour < 12; hour++) {
      await fixture.reading.settle();
      await fixture.wait(3_600);
    }
    const run = await lastRun();
    expect(run).toMatchObject({ stage: 'completed', status: 'partial' });
    expect(run?.metadata.data_types.steps).toMatchObject({ status: 'failed', error: expect.stringContaining('503') });
    await fixture.control.clearFaults();
    await fixture.wait(3 * SECONDS_PER_DAY);
    expect((await fixture.pull(anna))?.status).toBe('success');
    expect(await stored()).toHaveLength(1);
  });
});

describe('401', () => {
  it('leads to one renewal if the next attempt succeeds', async () => {
    await fixture.control.expireAccessTokens('anna');
    await fixture.reading.settle();
    expect(await lastRun()).toMatchObject({ status: 'success' });
    expect(await fixture.control.requests({ role: 'token', status: 200 })).toHaveLength(2);
  });

  it('with invalid_grant ends the run and the connection', async () => {
    await fixture.control.expireAccessTokens('anna');
    await fault({ kind: 'oauth_error', error: 'invalid_grant', match: { role: 'token' }, times: null });
    await fixture.reading.settle();
    expect(await lastRun()).toMatchObject({
      status: 'failed',
      error: 'google authorization expired. Please re-authorize.',
    });
    expect(await connection()).toMatchObject({ status: 'revoked' });
    const rejected = await fixture.call('POST', `/api/v1/providers/google/users/${anna.userId}/sync`);
    expect(rejected.status).toBe(409);
  });

  it('after a renewal fails only the run', async () => {
    await fault({ kind: 'unauthorized', match: { role: 'api' }, times: null });
    await fixture.reading.settle();
    expect(await lastRun()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('The connection is kept, and the next sync retries.'),
    });
    expect(await connection()).toMatchObject({ status: 'active', status_reason: null });
    await fixture.control.clearFaults();
    expect((await fixture.pull(anna))?.status).toBe('success');
    expect(await stored()).toHaveLength(1);
  });

  it('with invalid_client fails only the run', async () => {
    await fixture.control.expireAccessTokens('anna');
    await fault({ kind: 'oauth_error', error: 'invalid_client', status: 401, match: { role: 'token' }, times: null });
    await fixture.reading.settle();
    expect(await lastRun()).toMatchObject({ status: 'failed', error: expect.stringContaining('misconfigured') });
    expect(await connection()).toMatchObject({ status: 'active' });
    await fixture.control.clearFaults();
    expect((await fixture.pull(anna))?.status).toBe('success');
    expect(await stored()).toHaveLength(1);
  });
});
