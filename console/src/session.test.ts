import { ApiError } from '@healthd/client';
import { getUser } from '@healthd/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from './session.js';

const USER = { params: { user_id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed' } };

/** Fake service that issues numbered tokens and records each call with its token. */
function scriptedService() {
  const calls: { method: string; path: string; console: string | null; authorization: string | null }[] = [];
  const state = { calls, issued: 0, refuseRefresh: 0 };
  const fetcher: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname;
    const headers = new Headers(init?.headers);
    const sent = { console: headers.get('x-healthd-console'), authorization: headers.get('authorization') };
    calls.push({ method: init?.method ?? 'GET', path, ...sent });
    if (path.endsWith('/session/refresh') && state.refuseRefresh) {
      return Response.json({ detail: 'Invalid refresh token' }, { status: state.refuseRefresh });
    }
    if (init?.method === 'POST' && path.includes('/auth/session')) {
      state.issued++;
      return Response.json({ access_token: `a${state.issued}`, expires_in: 3600 });
    }
    if (init?.method === 'DELETE') return new Response(null, { status: 204 });
    return Response.json({});
  };
  return { ...state, state, fetcher };
}

describe('page session', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  async function loggedIn() {
    const service = scriptedService();
    const session = new Session('http://service.example', service.fetcher);
    await session.begin('ada@example.com', 'secret');
    return { service, session };
  }

  it('renews the access token once for concurrent calls', async () => {
    const { service, session } = await loggedIn();
    vi.setSystemTime(Date.now() + 3_590_000);
    await Promise.all([session.client.call(getUser, USER), session.client.call(getUser, USER)]);
    expect(service.calls.filter(({ path }) => path.endsWith('/session/refresh'))).toHaveLength(1);
    expect(service.calls.slice(-2).map(({ authorization }) => authorization)).toEqual(['Bearer a2', 'Bearer a2']);
  });

  it('ends in all tabs after a logout in one tab', async () => {
    const [one, other] = [await loggedIn(), await loggedIn()];
    await one.session.logOut();
    await vi.waitFor(() => expect(other.session.active).toBe(false));
    expect(other.session.endedBy).toBe('logged out');
  });

  it('resumes when a failed service responds again', async () => {
    const service = scriptedService();
    const session = new Session('http://service.example', service.fetcher);
    service.state.refuseRefresh = 503;
    const resumed = session.resume(Promise.resolve(), 1);
    await vi.waitFor(() => expect(session.unreachable).toBe(true));
    expect(session).toMatchObject({ resuming: true, active: false });
    service.state.refuseRefresh = 0;
    await resumed;
    expect(session).toMatchObject({ resuming: false, active: true, unreachable: false });
  });

  it('expires when the service rejects the renewal', async () => {
    const { service, session } = await loggedIn();
    service.state.refuseRefresh = 401;
    vi.setSystemTime(Date.now() + 3_590_000);
    await session.client.call(getUser, USER);
    expect([session.active, session.endedBy]).toEqual([false, 'expired']);
  });

  it('survives a service restart', async () => {
    const { service, session } = await loggedIn();
    service.state.refuseRefresh = 503;
    vi.setSystemTime(Date.now() + 3_590_000);
    await expect(session.client.call(getUser, USER)).rejects.toBeInstanceOf(ApiError);
    expect(session.active).toBe(true);
    service.state.refuseRefresh = 0;
    await session.client.call(getUser, USER);
    expect(service.calls.at(-1)?.authorization).toBe('Bearer a2');
  });

  it('resumes after a reload with the browser cookie', async () => {
    const service = scriptedService();
    const session = new Session('http://service.example', service.fetcher);
    const states: [boolean, boolean][] = [];
    session.subscribe(() => states.push([session.resuming, session.active]));
    const resumed = session.resume(Promise.resolve());
    expect([session.resuming, session.active]).toEqual([true, false]);
    await resumed;
    expect(states.at(-1)).toEqual([false, true]);
    expect(service.calls).toEqual([
      { method: 'POST', path: '/api/v1/auth/session/refresh', console: '1', authorization: null },
    ]);
  });

  it.each([401, 403])('stays inactive without an end reason if the service returns %i', async (status) => {
    const service = scriptedService();
    service.state.refuseRefresh = status;
    const session = new Session('http://service.example', service.fetcher);
    await session.resume(Promise.resolve());
    expect([session.resuming, session.active, session.endedBy]).toEqual([false, false, undefined]);
  });

  it('ends the service session on logout', async () => {
    const { service, session } = await loggedIn();
    await session.logOut();
    expect(service.calls.at(-1)).toEqual({
      method: 'DELETE',
      path: '/api/v1/auth/session',
      console: '1',
      authorization: null,
    });
    expect([session.active, session.endedBy]).toEqual([false, 'logged out']);
  });
});
