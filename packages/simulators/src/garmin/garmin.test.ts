import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { GarminSimulator } from './simulator.js';
import { startGarminSimulator } from './start.js';

const CALLBACK = 'http://localhost:9/callback';
const VERIFIER = 'a-verifier-of-a-test-that-has-enough-characters';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
let simulator: GarminSimulator;
beforeAll(async () => {
  simulator = await startGarminSimulator();
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.addAccount({ id: 'ada', timeZone: 'UTC' });
});

function pageUrl(change: Record<string, string> = {}): string {
  const asked = { client_id: simulator.client.id, redirect_uri: CALLBACK, response_type: 'code', state: 's' };
  const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
  return `${simulator.urls.authorize}?${new URLSearchParams({ ...asked, ...challenge, ...change })}`;
}

/** Submits the consent page. @returns the parameters of the redirect */
async function submit(permissions: readonly string[]): Promise<URLSearchParams> {
  const boxes = permissions.map((name): [string, string] => ['permission', name]);
  const body = new URLSearchParams([['account', 'ada'], ['decision', 'allow'], ...boxes]);
  const response = await fetch(pageUrl(), { method: 'POST', body, redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '').searchParams;
}

async function exchange(code: string, verifier: string): Promise<{ status: number; token: string }> {
  const body = new URLSearchParams({
    client_id: simulator.client.id,
    client_secret: simulator.client.secret,
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  });
  const response = await fetch(simulator.urls.token, { method: 'POST', body });
  return { status: response.status, token: ((await response.json()) as { access_token: string }).access_token };
}

it('shows a consent page with history unticked', async () => {
  const page = await (await fetch(pageUrl())).text();
  expect(page).toMatch(/name="permission" value="HEALTH_EXPORT" checked/);
  expect(page).toMatch(/name="permission" value="HISTORICAL_DATA_EXPORT">/);
});

it('rejects a consent without a PKCE challenge', async () => {
  const response = await fetch(pageUrl({ code_challenge_method: 'plain' }), { redirect: 'manual' });
  expect(response.headers.get('location')).toContain('error=invalid_request');
});

it('grants the selected permissions only with the right PKCE verifier', async () => {
  const stolen = (await submit(['HEALTH_EXPORT'])).get('code') ?? '';
  expect((await exchange(stolen, 'another verifier')).status).toBe(400);
  expect(await simulator.control.isConnected('ada')).toBe(false);
  const { status, token } = await exchange((await submit(['HEALTH_EXPORT'])).get('code') ?? '', VERIFIER);
  expect(status).toBe(200);
  const headers = { authorization: `Bearer ${token}` };
  const permissions = await fetch(`${simulator.urls.user}/permissions`, { headers });
  expect(await permissions.json()).toEqual(['HEALTH_EXPORT']);
  expect(await simulator.control.grantedScopes('ada')).toEqual(['HEALTH_EXPORT']);
});

it('generates no summary for a day that starts now', async () => {
  const { control } = simulator;
  await control.setClock('2026-03-31T00:00:00Z');
  await control.seedHistory('ada', { days: 3 });
  const dates = (await control.truth('ada')).days.map(({ date }) => date);
  expect(dates).toEqual(['2026-03-29', '2026-03-30']);
});
