import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WhoopSimulator } from './simulator.js';
import { startWhoopSimulator } from './start.js';
import { signEvent } from './webhooks.js';

const CALLBACK = 'http://localhost:9/callback';
const ALL_SCOPES = 'offline read:recovery read:cycles read:sleep read:workout read:profile read:body_measurement';
let simulator: WhoopSimulator;
beforeAll(async () => {
  simulator = await startWhoopSimulator({ autoConsent: true, limits: { perMinute: 20, perDay: 60 } });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.setClock('2026-05-10T12:00:00Z');
  await simulator.control.addAccount({ id: 'ada', userId: '778812' });
});

interface Pair {
  access_token: string;
  refresh_token?: string;
}

async function ask(change: Record<string, string> = {}): Promise<Response> {
  const asked = { client_id: simulator.client.id, redirect_uri: CALLBACK, response_type: 'code', state: 'state-01' };
  const query = new URLSearchParams({ ...asked, scope: ALL_SCOPES, ...change });
  return fetch(`${simulator.urls.authorize}?${query}`, { redirect: 'manual' });
}

async function tokens(form: Record<string, string>): Promise<{ status: number; body: Pair & { error?: string } }> {
  const client = { client_id: simulator.client.id, client_secret: simulator.client.secret };
  const response = await fetch(simulator.urls.token, {
    method: 'POST',
    body: new URLSearchParams({ ...client, ...form }),
  });
  return { status: response.status, body: (await response.json()) as Pair };
}

async function consented(scope = ALL_SCOPES): Promise<Pair> {
  const code = new URL((await ask({ scope })).headers.get('location') ?? '').searchParams.get('code') ?? '';
  return (await tokens({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK })).body;
}

const get = (path: string, { access_token }: Pair, method = 'GET') =>
  fetch(`${simulator.urls.api}${path}`, { method, headers: { authorization: `Bearer ${access_token}` } });
const night = (day: number) => ({
  id: `night-${day}`,
  cycle_id: day,
  start: `2026-05-${String(day).padStart(2, '0')}T00:00:00Z`,
  end: `2026-05-${String(day).padStart(2, '0')}T07:00:00Z`,
});

describe('consent', () => {
  it('rejects a consent state shorter than eight characters', async () => {
    expect((await ask({ state: 'short' })).status).toBe(400);
    expect((await ask()).status).toBe(302);
  });

  it('issues no refresh token without the offline scope', async () => {
    expect((await consented('read:sleep')).refresh_token).toBeUndefined();
    expect((await consented()).refresh_token).toBeDefined();
  });

  it('issues no refresh token on a renewal without the offline scope', async () => {
    const { refresh_token = '' } = await consented();
    const renewed = await tokens({ grant_type: 'refresh_token', refresh_token, scope: 'read:sleep' });
    expect(renewed).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
    expect(renewed.body.refresh_token).toBeUndefined();
  });

  it('rejects the exchange of a code without its redirect URL', async () => {
    const code = new URL((await ask()).headers.get('location') ?? '').searchParams.get('code') ?? '';
    const exchanged = await tokens({ grant_type: 'authorization_code', code });
    expect(exchanged).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('invalidates a refresh token and its access token on renewal', async () => {
    const first = await consented();
    const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '', scope: 'offline' };
    const renewed = await tokens(form);
    expect(renewed.status).toBe(200);
    expect(await tokens(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await get('/v2/user/profile/basic', first)).status).toBe(401);
    expect((await get('/v2/user/profile/basic', renewed.body)).status).toBe(200);
  });

  it('revokes both tokens of a grant on DELETE', async () => {
    const pair = await consented();
    expect((await get('/v2/user/access', pair, 'DELETE')).status).toBe(204);
    expect((await get('/v2/cycle', pair)).status).toBe(401);
    const form = { grant_type: 'refresh_token', refresh_token: pair.refresh_token ?? '', scope: 'offline' };
    expect((await tokens(form)).status).toBe(400);
  });

  it('returns 401 for a missing scope', async () => {
    const pair = await consented('offline read:profile');
    expect((await get('/v2/recovery', pair)).status).toBe(401);
    expect((await get('/v2/user/profile/basic', pair)).status).toBe(200);
  });
});

describe('a collection', () => {
  it('pages newest first, without a token on the last page', async () => {
    await simulator.control.put('ada', { sleeps: [1, 2, 3, 4, 5].map(night) });
    const pair = await consented();
    const first = (await (await get('/v2/activity/sleep?limit=3', pair)).json()) as {
      records: { id: string }[];
      next_token: string | null;
    };
    expect(first.records.map(({ id }) => id)).toEqual(['night-5', 'night-4', 'night-3']);
    const second = await (await get(`/v2/activity/sleep?limit=3&nextToken=${first.next_token}`, pair)).json();
    expect(second).toMatchObject({ records: [{ id: 'night-2' }, { id: 'night-1' }], next_token: null });
  });

  it('contains records that overlap the window, excluding its end', async () => {
    await simulator.control.put('ada', { sleeps: [1, 2, 3].map(night) });
    const pair = await consented();
    const window = 'start=2026-05-02T06:59:00Z&end=2026-05-03T00:00:00Z';
    const response = await (await get(`/v2/activity/sleep?${window}`, pair)).json();
    expect(response).toMatchObject({ records: [{ id: 'night-2' }] });
  });

  it('rejects a limit above 25', async () => {
    const pair = await consented();
    expect((await get('/v2/recovery?limit=26', pair)).status).toBe(400);
  });

  it('returns 404 for a recovery by ID', async () => {
    const pair = await consented();
    expect((await get('/v2/recovery/night-1', pair)).status).toBe(404);
  });
});

describe('the rate limit', () => {
  it('rejects requests until the end of the tighter window', async () => {
    const pair = await consented();
    const first = await get('/v2/cycle', pair);
    expect(first.headers.get('x-ratelimit-limit')).toBe('20, 20;window=60, 60;window=86400');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('19');
    for (let n = 0; n < 19; n++) await get('/v2/cycle', pair);
    const rejection = await get('/v2/cycle', pair);
    expect(rejection.status).toBe(429);
    expect(Number(rejection.headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
    await simulator.control.advanceClock(60);
    expect((await get('/v2/cycle', pair)).status).toBe(200);
  });

  it('outlasts the minute when the daily limit is reached', async () => {
    const pair = await consented();
    for (let minute = 0; minute < 3; minute++) {
      for (let n = 0; n < 20; n++) await get('/v2/cycle', pair);
      await simulator.control.advanceClock(60);
    }
    const rejection = await get('/v2/cycle', pair);
    expect(rejection.status).toBe(429);
    expect(Number(rejection.headers.get('x-ratelimit-reset'))).toBeGreaterThan(80_000);
  });
});

it('signs events over timestamp and body with the client secret', () => {
  const event = {
    user_id: 778_812,
    id: '9a1f7f7a-8d70-4c3f-9b0e-0c5a3d9f1e20',
    type: 'sleep.updated',
    trace_id: 't-1',
  };
  const { headers } = signEvent(event, 'inv-secret', 1_746_860_000_000);
  expect(headers['x-whoop-signature']).toBe('LJ7USOVNgckkxdIp8VonC/YiUX2rg2xLw1IOTw3P0t8=');
});

describe('generated data', () => {
  it('depends only on the seed and leaves a fresh night unscored', async () => {
    await simulator.control.setClock('2026-05-10T20:00:00Z');
    await simulator.control.seedHistory('ada', { seed: 5, days: 20 });
    const truth = await simulator.control.truth('ada');
    expect(truth.sleeps.filter(({ nap }) => !nap)).toHaveLength(20);
    expect(truth.cycles).toHaveLength(19);
    await simulator.control.addAccount({ id: 'same-seed' });
    await simulator.control.seedHistory('same-seed', { seed: 5, days: 20 });
    expect(await simulator.control.truth('same-seed')).toEqual(truth);
    const waking = truth.sleeps.findLast(({ nap }) => !nap)!.endMs;
    await simulator.control.addAccount({ id: 'early' });
    await simulator.control.setClock(new Date(waking + 60_000).toISOString());
    await simulator.control.seedHistory('early', { seed: 5, days: 20 });
    expect((await simulator.control.truth('early')).sleeps.findLast(({ nap }) => !nap)?.minutes).toBeUndefined();
    await simulator.control.advanceClock(3_600);
    await simulator.control.growHistory('early');
    expect((await simulator.control.truth('early')).sleeps.findLast(({ nap }) => !nap)?.minutes).toBeDefined();
  });
});
