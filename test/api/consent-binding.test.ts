import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser } from '../support/browser.js';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';

const BACK = 'https://portal.example.com/users/1/pair';
const LIMIT = 40;

let fixture: ConnectionFixture;
let user: string;
let account: { id: string; email: string };
let browser: Browser;
beforeAll(async () => {
  fixture = await openConnectionFixture({
    env: {
      OAUTH_REDIRECT_ALLOWLIST: BACK,
      CONSENT_BINDING: 'browser',
      PUBLIC_AUTHORIZE: 'true',
      CONNECT_LIMIT_PER_ADDRESS: String(LIMIT),
    },
  });
});
beforeEach(async () => {
  browser = new Browser();
  user = await fixture.createUser();
  account = await fixture.vendor.control.addAccount();
  await fixture.service.pool.query('delete from call_count');
});
afterAll(() => fixture.close());

describe('the rate limit per IP address', () => {
  /** Exceeds the rate limit of one IP address with form posts, as a browser would. Returns the last response. */
  async function attemptBeyondLimit(accept: string): Promise<Response> {
    const { body } = await fixture.call('POST', `/api/v1/users/${user}/connect-links`, { providers: ['google'] });
    const token = String(body.url).split('/').at(-1) ?? '';
    fixture.service.watch.know(token);
    const address = `${fixture.service.url}/connect/${token}/google`;
    const press = () => browser.fetch(address, { method: 'POST', headers: { Accept: accept } });
    for (let count = 0; count < LIMIT; count++) expect((await press()).status).toBe(303);
    return press();
  }

  test('shows a browser a page in plain words', async () => {
    const response = await attemptBeyondLimit('text/html,application/xhtml+xml,*/*;q=0.8');
    expect(response.status).toBe(429);
    expect(response.headers.get('content-type')).toContain('text/html');
    const text = await response.text();
    expect(text).toContain('Please wait a moment');
    expect(text).toContain(`Wait ${response.headers.get('retry-after')} seconds.`);
  });

  test('returns JSON to a program', async () => {
    const response = await attemptBeyondLimit('application/json');
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({ detail: expect.any(String) });
  });
});

/** Replaces the configured port 0 with the port that the service listens on. */
const here = (address: string) => address.replace('http://localhost:0', fixture.service.url);
const authorizeAddress = (query: Record<string, string>) =>
  `${fixture.service.url}/api/v1/oauth/google/authorize?${new URLSearchParams(query)}`;

async function startAddress(): Promise<string> {
  const { status, body } = await fixture.authorize(user, BACK);
  expect(status).toBe(200);
  return here(body.authorization_url);
}

describe('CONSENT_BINDING=browser', () => {
  test('redirects the browser through the service to the vendor and back', async () => {
    const start = await startAddress();
    expect(start).toMatch(/\/api\/v1\/oauth\/google\/start\?state=[\w-]{43}$/);
    const redirect = await browser.fetch(start);
    expect(redirect.status).toBe(303);
    const back = await fixture.consent(redirect.headers.get('location') ?? '', { account: account.id });
    const response = await browser.fetch(back);
    expect([response.status, response.headers.get('location')]).toEqual([303, BACK]);
    await fixture.tokensOf(user);
    expect(await fixture.connectionOf(user)).toMatchObject({ provider_username: account.email });
  });

  test('redirects a start link only once', async () => {
    const start = await startAddress();
    expect((await browser.fetch(start, { method: 'HEAD' })).headers.get('location')).toBeNull();
    const responses = await Promise.all([browser.fetch(start), new Browser().fetch(start), browser.fetch(start)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  });

  test("rejects the consent of a victim who received the vendor's URL", async () => {
    const redirect = await new Browser().fetch(await startAddress());
    const back = await fixture.consent(redirect.headers.get('location') ?? '', { account: account.id });
    const victim = await browser.fetch(back);
    expect([victim.status, victim.headers.get('location')]).toEqual([400, null]);
    expect(await victim.json()).toMatchObject({ detail: expect.stringContaining('another browser') });
    expect(await fixture.connectionOf(user)).toBeUndefined();
  });

  test('rejects a consent that no browser started', async () => {
    const start = await startAddress();
    const state = new URL(start).searchParams.get('state');
    const callback = `${fixture.service.url}/api/v1/oauth/google/callback?code=some&state=${state}`;
    expect((await browser.fetch(callback)).status).toBe(400);
    expect((await browser.fetch(start)).status).toBe(303);
  });

  test('creates the verifier only when a browser starts the consent', async () => {
    const verifiers = async () => {
      const { rows } = await fixture.service.pool.query<{ verifier_secret: string | null }>(
        'select verifier_secret from oauth_state join health_user u using (user_key) where u.id = $1',
        [user],
      );
      return rows.map(({ verifier_secret }) => verifier_secret);
    };
    const start = await startAddress();
    expect(await verifiers()).toEqual([null]);
    expect((await browser.fetch(start)).status).toBe(303);
    expect(await verifiers()).toEqual([expect.stringMatching(/^v1\./)]);
  });

  test.each(['code=some', 'error=access_denied'])(
    'keeps a start link valid after a request with %s',
    async (answer) => {
      const start = await startAddress();
      expect((await browser.fetch(`${start}&${answer}`)).status).toBe(400);
      expect((await browser.fetch(start)).status).toBe(303);
    },
  );

  test("stores neither the vendor's URL nor the state as plain text", async () => {
    const start = await startAddress();
    const { rows } = await fixture.service.pool.query('select row_to_json(s)::text as text from oauth_state s');
    for (const { text } of rows) {
      expect(text).not.toContain('code_challenge');
      expect(text).not.toContain(new URL(start).searchParams.get('state'));
    }
  });
});

describe('PUBLIC_AUTHORIZE=true', () => {
  test('starts a consent without a credential, bound to the browser', async () => {
    const response = await fetch(authorizeAddress({ user_id: user, redirect_uri: BACK }));
    expect(response.status).toBe(200);
    const { authorization_url: address } = (await response.json()) as { authorization_url: string };
    expect(address).toMatch(/^http:\/\/localhost:0\/api\/v1\/oauth\/google\/start\?/);
    const redirect = await browser.fetch(here(address));
    const back = await fixture.consent(redirect.headers.get('location') ?? '', { account: account.id });
    expect((await new Browser().fetch(back)).status).toBe(400);
    expect((await browser.fetch(back)).headers.get('location')).toBe(BACK);
    await fixture.tokensOf(user);
  });

  test.each([
    ['no return URL', {}, 422],
    ['an unlisted return URL', { redirect_uri: 'http://localhost:0/done' }, 422],
    ['a longer return URL', { redirect_uri: `${BACK}/x` }, 422],
    ['a return URL with a backslash', { redirect_uri: BACK.replace('/users', '\\users') }, 422],
    ['an unknown user', { redirect_uri: BACK, user_id: '11111111-2222-4333-8444-555555555555' }, 404],
  ])('rejects a call without a credential and with %s', async (_, query, status) => {
    expect((await fetch(authorizeAddress({ user_id: user, ...query }))).status).toBe(status);
  });

  test('rejects a wrong credential', async () => {
    const address = authorizeAddress({ user_id: user, redirect_uri: BACK });
    expect((await fetch(address, { headers: { Authorization: 'Bearer x' } })).status).toBe(401);
    expect((await fetch(address, { headers: { 'X-Service-API-Key': 'sk-x' } })).status).toBe(401);
  });

  test('opens no other route without a credential', async () => {
    expect((await fetch(`${fixture.service.url}/api/v1/users`)).status).toBe(401);
  });

  test('limits calls without a credential per IP address', async () => {
    const address = authorizeAddress({ user_id: user, redirect_uri: BACK });
    for (let call = 0; call < LIMIT; call++) expect((await fetch(address)).status).toBe(200);
    expect((await fetch(address)).status).toBe(429);
    expect((await fixture.authorize(user, BACK)).status).toBe(200);
  });

  test('limits consents started from a connect link per IP address', async () => {
    const { body } = await fixture.call('POST', `/api/v1/users/${user}/connect-links`);
    const address = `${here(body.url)}/google`;
    fixture.service.watch.know(String(body.url).split('/').at(-1));
    const statuses = [];
    for (let call = 0; call < LIMIT + 5; call++)
      statuses.push((await fetch(address, { method: 'POST', redirect: 'manual' })).status);
    expect(statuses).toEqual([...Array(LIMIT).fill(303), ...Array(5).fill(429)]);
  });
});
