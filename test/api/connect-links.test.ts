import { createHash } from 'node:crypto';
import { ConnectLinks } from '@healthd/daemon/connections';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser } from '../support/browser.js';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';

const HEALTH = 'https://www.googleapis.com/auth/googlehealth.';
const APP = 'https://app.example.com';

let fixture: ConnectionFixture;
let user: string;
let account: { id: string; email: string };
let browser: Browser;
beforeAll(async () => {
  fixture = await openConnectionFixture({
    env: {
      OAUTH_REDIRECT_ALLOWLIST: `${APP}/back?from=health,coach:done`,
      CONNECT_PAGE_NAME: 'Clinic <North>',
      CONNECT_PAGE_COLOR: '#ffd400',
      // All calls of this file have the same IP address, so the limit per IP address is turned off.
      CONNECT_LIMIT_PER_ADDRESS: '0',
    },
  });
});
beforeEach(async () => {
  browser = new Browser();
  user = await fixture.createUser();
  account = await fixture.vendor.control.addAccount();
  await fixture.vendor.control.clearFaults();
});
afterAll(() => fixture.close());

const linksOf = (id = user) => `/api/v1/users/${id}/connect-links`;

/** Creates a link. From then on, the test fails if the link's token leaks. */
async function newLink(input: object = {}): Promise<{ id: string; address: string; token: string }> {
  const { status, body } = await fixture.call('POST', linksOf(), input);
  expect([status, body.detail]).toEqual([201, undefined]);
  const token = String(body.url).split('/').at(-1) ?? '';
  fixture.service.watch.know(token);
  return { id: body.id, token, address: `${fixture.service.url}/connect/${token}` };
}

async function pageAt(address: string, headers: Record<string, string> = {}) {
  const response = await browser.fetch(address, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const press = (address: string, by = browser) => by.fetch(`${address}/google`, { method: 'POST' });

/** Follows the flow from the page's button to the response of the callback. */
async function completeFlow(
  address: string,
  answer: Parameters<ConnectionFixture['consent']>[1] = {},
): Promise<Response> {
  const redirect = await press(address);
  const back = await fixture.consent(redirect.headers.get('location') ?? '', { account: account.id, ...answer });
  const response = await browser.fetch(back);
  await fixture.tokensOf(user);
  return response;
}

/** Returns the listed state of the newest link's only provider. */
async function storedOutcome() {
  const { body } = await fixture.call('GET', linksOf());
  const [link] = body.items;
  return { status: link.status, ...link.providers[0] };
}

describe('a connect link', () => {
  test('leads to a success message after the consent', async () => {
    const { address, id } = await newLink();
    const response = await completeFlow(address);
    expect([response.status, response.headers.get('location')]).toEqual([303, `/connect/${id}?provider=google`]);
    const { status, text } = await pageAt(`${fixture.service.url}${response.headers.get('location')}`);
    expect(status).toBe(200);
    expect(text).toContain('Google Health is connected');
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active', provider_username: account.email });
    expect(await storedOutcome()).toMatchObject({ status: 'used', outcome: 'connected', missing_data_types: [] });
  });

  test('names missing permissions in plain text', async () => {
    const { address } = await newLink();
    await completeFlow(address, { scopes: [`${HEALTH}sleep.readonly`] });
    const { text } = await pageAt(`${address}?provider=google`);
    expect(text).toMatch(/Google Health is connected without: .*steps/);
    const stored = await storedOutcome();
    expect(stored).toMatchObject({ status: 'used', outcome: 'partial' });
    expect(stored.missing_data_types).toContain('steps');
    expect(stored.missing_data_types).not.toContain('sleep');
  });

  test('can be used again after a declined consent', async () => {
    const { address } = await newLink();
    await completeFlow(address, { decision: 'deny' });
    const { text } = await pageAt(`${address}?provider=google`);
    expect(text).toContain('Try again');
    expect(await storedOutcome()).toMatchObject({ status: 'open', outcome: 'failed', error: 'access_denied' });
    await completeFlow(address);
    expect(await storedOutcome()).toMatchObject({ status: 'used', outcome: 'connected', error: null });
  });

  test('records a failed outcome when the vendor returns 503', async () => {
    const { address } = await newLink();
    await fixture.vendor.control.addFault({ kind: 'error', status: 503, match: { role: 'token' }, times: null });
    await completeFlow(address);
    expect(await storedOutcome()).toMatchObject({ outcome: 'failed', error: 'temporarily_unavailable' });
  });

  test('exposes no user data by its page or headers', async () => {
    await fixture.call('PATCH', `/api/v1/users/${user}`, { first_name: 'Wilhelmina', email: 'w@clinic.example' });
    const { address } = await newLink();
    await completeFlow(address);
    const { text, headers } = await pageAt(`${address}?provider=google`);
    for (const secret of ['Wilhelmina', 'w@clinic.example', user, account.email]) expect(text).not.toContain(secret);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).not.toContain('unsafe-inline');
    expect(policy).toContain("default-src 'none'");
  });

  test('is stored as a hash of 256 random bits', async () => {
    const { token } = await newLink();
    expect(token).toMatch(/^cl-[\w-]{43}$/);
    const { rows } = await fixture.service.pool.query(
      'select token_hash, row_to_json(l)::text as text from connect_link l',
    );
    expect(rows.some(({ token_hash }) => token_hash.equals(createHash('sha256').update(token).digest()))).toBe(true);
    for (const { text } of rows) expect(text).not.toContain(token);
    const { body } = await fixture.call('GET', linksOf());
    expect(JSON.stringify(body)).not.toContain(token);
  });
});

describe('the single use of a link', () => {
  test('never redirects a used link to its consent again', async () => {
    const { address, token } = await newLink();
    await completeFlow(address);
    const again = await press(address);
    expect([again.status, again.headers.get('location')]).toEqual([410, null]);
    expect((await pageAt(`${address}?provider=google`)).text).not.toContain(`${token}/google`);
  });

  test('connects only the first of two sequential consents', async () => {
    const { address } = await newLink();
    const other = await fixture.vendor.control.addAccount();
    const elsewhere = new Browser();
    const [first, second] = [await press(address), await press(address, elsewhere)];
    const consent = (redirect: Response, id: string) =>
      fixture.consent(redirect.headers.get('location') ?? '', { account: id });
    const mine = await consent(first, account.id);
    const theirs = await consent(second, other.id);
    const responses = [await browser.fetch(mine), await elsewhere.fetch(theirs)];
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    await fixture.tokensOf(user);
    expect(await fixture.connectionOf(user)).toMatchObject({ provider_username: account.email });
  });

  test('connects only one of two simultaneous consents', async () => {
    const { address } = await newLink();
    const other = await fixture.vendor.control.addAccount();
    const elsewhere = new Browser();
    const [first, second] = [await press(address), await press(address, elsewhere)];
    const mine = await fixture.consent(first.headers.get('location') ?? '', { account: account.id });
    const theirs = await fixture.consent(second.headers.get('location') ?? '', { account: other.id });
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 300, match: { role: 'token' } });
    await Promise.all([browser.fetch(mine), elsewhere.fetch(theirs)]);
    await fixture.tokensOf(user);
    const { rows } = await fixture.service.pool.query(
      `select state from connect_link_use join health_user u using (user_key) where u.id = $1`,
      [user],
    );
    expect(rows).toEqual([{ state: 'connected' }]);
  });

  test('survives mail scanners that open the URL', async () => {
    const { address } = await newLink();
    for (const method of ['GET', 'HEAD', 'GET']) await fetch(address, { method });
    expect((await press(address)).status).toBe(303);
  });
});

describe('a link', () => {
  test('returns 410 for its page and buttons after the expiry', async () => {
    const { address, id } = await newLink({ expires_in_minutes: 5 });
    await fixture.service.pool.query(`update connect_link set expires_at = now() - interval '1 second' where id = $1`, [
      id,
    ]);
    expect((await pageAt(address)).status).toBe(410);
    expect((await press(address)).status).toBe(410);
    expect((await storedOutcome()).status).toBe('expired');
  });

  test('shows the outcome of a consent started before the expiry', async () => {
    const { address, id } = await newLink({ expires_in_minutes: 5 });
    const redirect = await press(address);
    await fixture.service.pool.query(`update connect_link set expires_at = now() - interval '1 second' where id = $1`, [
      id,
    ]);
    const back = await fixture.consent(redirect.headers.get('location') ?? '', { decision: 'deny' });
    await browser.fetch(back);
    expect((await pageAt(`${address}?provider=google`)).text).toContain('You did not agree');
  });

  test('ends a running consent when revoked', async () => {
    const { address, id } = await newLink();
    const redirect = await press(address);
    expect((await fixture.call('DELETE', `${linksOf()}/${id}`)).status).toBe(204);
    const page = await pageAt(address);
    expect([page.status, page.text.includes('This link was withdrawn')]).toEqual([410, true]);
    expect((await pageAt(`${address}?provider=google`)).text).not.toContain('was not connected');
    expect((await press(address)).status).toBe(410);
    const back = await fixture.consent(redirect.headers.get('location') ?? '', { account: account.id });
    const response = await browser.fetch(back);
    expect(await fixture.connectionOf(user)).toBeUndefined();
    const { status } = await pageAt(`${fixture.service.url}${response.headers.get('location')}`);
    expect(status).toBe(410);
    expect(await storedOutcome()).toMatchObject({ status: 'revoked', outcome: 'failed', error: 'link_revoked' });
    expect(await fixture.vendor.control.grantedScopes(account.id)).toEqual([]);
    expect((await fixture.call('DELETE', `${linksOf()}/${id}`)).status).toBe(204);
  });

  test('revokes the new grant if the link is revoked during code exchange', async () => {
    const { address, id } = await newLink({ language: 'de' });
    const redirect = await press(address);
    const back = await fixture.consent(redirect.headers.get('location') ?? '', { account: account.id });
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    const pendingResponse = browser.fetch(back);
    const uses = async () =>
      (await fixture.service.pool.query('select state from connect_link_use where link_id = $1', [id])).rows;
    await expect.poll(uses, { interval: 20 }).toEqual([{ state: 'claimed' }]);
    expect((await fixture.call('DELETE', `${linksOf()}/${id}`)).status).toBe(204);
    const response = await pendingResponse;
    expect(await fixture.connectionOf(user)).toBeUndefined();
    expect(await storedOutcome()).toMatchObject({ status: 'revoked', outcome: 'failed', error: 'link_revoked' });
    expect((await pageAt(`${fixture.service.url}${response.headers.get('location')}`)).status).toBe(410);
    expect(await fixture.vendor.control.grantedScopes(account.id)).toEqual([]);
  });

  test('keeps the connection when the link is revoked after use', async () => {
    const { address, id } = await newLink();
    const redirect = await press(address);
    const back = await fixture.consent(redirect.headers.get('location') ?? '', { account: account.id });
    await browser.fetch(back);
    await fixture.tokensOf(user);
    expect((await fixture.call('DELETE', `${linksOf()}/${id}`)).status).toBe(204);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active' });
    expect((await pageAt(`${address}?provider=google`)).text).toContain('Google Health is connected');
  });

  test('returns 404 to other users and for unknown tokens', async () => {
    const { id, address } = await newLink();
    const other = await fixture.createUser();
    expect((await fixture.call('DELETE', `${linksOf(other)}/${id}`)).status).toBe(404);
    expect((await pageAt(address)).status).toBe(200);
    for (const token of ['cl-nothing', 'x', 'cl-'.padEnd(46, 'a')]) {
      expect((await pageAt(`${fixture.service.url}/connect/${token}`)).status).toBe(404);
      expect((await press(`${fixture.service.url}/connect/${token}`)).status).toBe(404);
    }
  });

  test('is not found after its user is deleted', async () => {
    const developer = await fixture.asDeveloper();
    const { address } = await newLink();
    await developer('DELETE', `/api/v1/users/${user}`);
    expect((await pageAt(address)).status).toBe(404);
  });

  test('starts no consent with a provider that was disabled later', async () => {
    const developer = await fixture.asDeveloper();
    const { address, token } = await newLink();
    await developer('PUT', '/api/v1/oauth/providers/google', { is_enabled: false });
    try {
      const redirect = await press(address);
      expect([redirect.status, redirect.headers.get('location')]).toEqual([303, `/connect/${token}?provider=google`]);
      expect((await fixture.call('POST', linksOf(), {})).status).toBe(409);
    } finally {
      await developer('PUT', '/api/v1/oauth/providers/google', { is_enabled: true });
    }
  });
});

describe('creating a link', () => {
  test('offers every connectable provider for a day if the body is missing', async () => {
    const { status, body } = await fixture.call('POST', linksOf());
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'open', language: null, redirect_uri: null, opener_origin: null });
    expect(body.providers).toEqual([
      { provider: 'google', outcome: 'open', error: null, missing_data_types: [], at: null },
    ]);
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(86_400_000);
    const nulls = {
      providers: null,
      expires_in_minutes: null,
      redirect_uri: null,
      opener_origin: null,
      language: null,
    };
    expect((await fixture.call('POST', linksOf(), nulls)).status).toBe(201);
  });

  test.each([
    [{ providers: ['apple'] }, 409],
    [{ providers: ['whoop'] }, 409],
    [{ providers: ['nobody'] }, 422],
    [{ providers: [] }, 422],
    [{ expires_in_minutes: 4 }, 422],
    [{ expires_in_minutes: 10_081 }, 422],
    [{ language: 'xx' }, 422],
    [{ redirect_uri: 'https://evil.example/' }, 422],
    [{ opener_origin: 'https://evil.example' }, 422],
    [{ opener_origin: `${APP}/path` }, 422],
    [{ opener_origin: '*' }, 422],
    [{ opener_origin: 'null' }, 422],
    [{ minutes: 5 }, 422],
  ])('rejects %j', async (input, status) => {
    expect((await fixture.call('POST', linksOf(), input)).status).toBe(status);
  });

  test('requires the write scope for a restricted key', async () => {
    const developer = await fixture.asDeveloper();
    for (const [scope, status] of [
      ['read', 403],
      ['write', 201],
    ] as const) {
      const { body } = await developer('POST', '/api/v1/developer/api-keys', { name: scope, scopes: [scope] });
      const response = await fetch(`${fixture.service.url}${linksOf()}`, {
        method: 'POST',
        headers: { [fixture.service.apiKeyHeader]: body.key },
      });
      expect(response.status).toBe(status);
    }
  });

  test('links the final page to the application and notifies its opener', async () => {
    const { address } = await newLink({ redirect_uri: `${APP}/back?from=health`, opener_origin: APP });
    expect((await pageAt(address)).text).not.toContain('postMessage');
    await completeFlow(address);
    const { text, headers } = await pageAt(`${address}?provider=google`);
    expect(text).toContain(`href="${APP}/back?from=health"`);
    expect(text).toContain(
      `postMessage({"type":"healthd.connect","provider":"google","outcome":"connected"}, "${APP}")`,
    );
    // With another policy the browser drops the reference to the opener window.
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none');
  });

  test('uses the language of the link, else of the browser, else English', async () => {
    const german = await newLink({ language: 'de' });
    expect((await pageAt(german.address, { 'Accept-Language': 'en' })).text).toContain('<html lang="de">');
    const { address } = await newLink();
    expect((await pageAt(address, { 'Accept-Language': 'de-AT,de;q=0.9' })).text).toContain('Verbinden');
    expect((await pageAt(address, { 'Accept-Language': 'pl' })).text).toContain('<html lang="en">');
  });

  test("shows the operator's name and color with readable text", async () => {
    const { text } = await pageAt((await newLink()).address);
    expect(text).toContain('Clinic &lt;North&gt;');
    expect(text).toContain('background:#ffd400;color:#000');
  });

  test('deletes links a month after they end', async () => {
    const { id } = await newLink();
    const { pool } = fixture.service;
    await pool.query(`update connect_link set expires_at = now() - interval '31 days' where id = $1`, [id]);
    const links = new ConnectLinks({ pool, apiBaseUrl: '', connectable: async () => [], requireAllowed: () => null });
    expect(await links.purge()).toBeGreaterThanOrEqual(1);
    expect((await fixture.call('GET', linksOf())).body.items).toEqual([]);
  });

  test('records creation and use of a link in the audit trail', async () => {
    const { address } = await newLink();
    await press(address);
    const audited = async () => {
      const { rows } = await fixture.service.pool.query('select resource, action from audit_event where user_id = $1', [
        user,
      ]);
      return rows;
    };
    await expect.poll(audited).toEqual(
      expect.arrayContaining([
        { resource: 'connect_link', action: 'create' },
        { resource: 'connection', action: 'create' },
      ]),
    );
  });
});
