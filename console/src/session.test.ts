import { getUser } from '@healthd/api';
import { ApiError } from '@healthd/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from './session.js';

const USER = { params: { user_id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed' } };

/** A service that hands out numbered tokens and notes who called what with which token. */
function scriptedService() {
  const calls: { path: string; authorization: string | null }[] = [];
  const state = { calls, issued: 0, refuseRefresh: 0 };
  const fetcher: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname;
    calls.push({ path, authorization: new Headers(init?.headers).get('authorization') });
    if (path.endsWith('/token/refresh') && state.refuseRefresh) {
      return Response.json({ detail: 'Invalid refresh token' }, { status: state.refuseRefresh });
    }
    if (path.endsWith('/auth/login') || path.endsWith('/token/refresh')) {
      state.issued++;
      return Response.json({ access_token: `a${state.issued}`, refresh_token: `r${state.issued}`, expires_in: 3600 });
    }
    return Response.json({});
  };
  return { ...state, state, fetcher };
}

describe('the session of the page', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  async function loggedIn() {
    const service = scriptedService();
    const session = new Session('http://service.example', service.fetcher);
    await session.begin('ada@example.com', 'secret');
    return { service, session };
  }

  it('renews the access token once for all calls of a screen before it ends', async () => {
    const { service, session } = await loggedIn();
    vi.setSystemTime(Date.now() + 3_590_000);
    await Promise.all([session.client.call(getUser, USER), session.client.call(getUser, USER)]);
    expect(service.calls.filter(({ path }) => path.endsWith('/token/refresh'))).toHaveLength(1);
    expect(service.calls.slice(-2).map(({ authorization }) => authorization)).toEqual(['Bearer a2', 'Bearer a2']);
  });

  it('ends as expired when the service refuses to renew it', async () => {
    const { service, session } = await loggedIn();
    service.state.refuseRefresh = 401;
    vi.setSystemTime(Date.now() + 3_590_000);
    await session.client.call(getUser, USER);
    expect([session.active, session.endedBy]).toEqual([false, 'expired']);
  });

  it('outlives a service that is restarting', async () => {
    const { service, session } = await loggedIn();
    service.state.refuseRefresh = 503;
    vi.setSystemTime(Date.now() + 3_590_000);
    await expect(session.client.call(getUser, USER)).rejects.toBeInstanceOf(ApiError);
    expect(session.active).toBe(true);
    service.state.refuseRefresh = 0;
    await session.client.call(getUser, USER);
    expect(service.calls.at(-1)?.authorization).toBe('Bearer a2');
  });

  it('is ended at the service too when the person logs out', async () => {
    const { service, session } = await loggedIn();
    await session.logOut();
    expect(service.calls.at(-1)).toEqual({ path: '/api/v1/auth/logout', authorization: 'Bearer a1' });
    expect([session.active, session.endedBy]).toEqual([false, 'logged out']);
  });
});
