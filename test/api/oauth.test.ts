import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';

const HEALTH = 'https://www.googleapis.com/auth/googlehealth.';

let fixture: ConnectionFixture;
let user: string;
let account: { id: string; email: string; healthUserId: string };
beforeAll(async () => {
  fixture = await openConnectionFixture({
    env: { OAUTH_REDIRECT_ALLOWLIST: 'https://app.example.com/back?from=health,coach:done' },
  });
});
beforeEach(async () => {
  user = await fixture.createUser();
  account = await fixture.vendor.control.addAccount();
  await fixture.vendor.control.clearFaults();
});
afterAll(() => fixture.close());

const BACK = 'https://app.example.com/back?from=health';

/** Returns the query parameters that the application receives with the redirect. */
function errorIn(response: Response): Record<string, string> {
  const { error, error_description, ...rest } = Object.fromEntries(
    new URL(response.headers.get('location') ?? '').searchParams,
  );
  return { error: error ?? '', text: error_description ?? '', ...rest };
}

describe('a consenting user', () => {
  test('is connected with account, granted scopes and sealed tokens', async () => {
    const response = await fixture.connect(user, { account: account.id });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/api/v1/oauth/success?provider=google&user_id=${user}`,
    ]);
    expect(await fixture.connectionOf(user)).toMatchObject({
      status: 'active',
      user_id: user,
      provider_user_id: account.healthUserId,
      provider_username: account.email,
      last_synced_at: null,
      account_state: 'linked',
      has_authorization: true,
      missing_scopes: [],
      rest_pull: true,
      webhook_ping: true,
      live_sync_mode: 'pull',
      icon_url: '/static/provider-icons/google.svg',
      max_historical_days: null,
      missing_data_types: [],
      linked_user_ids: [],
      status_reason: null,
    });
    const { access, refresh } = await fixture.tokensOf(user);
    expect([access?.length, refresh?.length].every((length) => (length ?? 0) > 10)).toBe(true);
    const { rows } = await fixture.service.pool.query('select row_to_json(connection)::text as text from connection');
    for (const { text } of rows) expect(text.includes(access ?? '-') || text.includes(refresh ?? '-')).toBe(false);
    const profile = await fixture.call('GET', `/api/v1/users/${user}`);
    expect(profile.body.has_active_connection).toBe(true);
  });

  test('gets a consent URL with PKCE, offline access and a state', async () => {
    const { body, status } = await fixture.authorize(user);
    const query = Object.fromEntries(new URL(body.authorization_url).searchParams);
    expect([status, body.state.length, query.state]).toEqual([200, 43, body.state]);
    expect(query).toMatchObject({
      response_type: 'code',
      access_type: 'offline',
      prompt: 'consent',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost:0/api/v1/oauth/google/callback',
    });
    expect(query.scope).toContain(`${HEALTH}sleep.readonly`);
  });

  test('has an encrypted PKCE verifier', async () => {
    const { body } = await fixture.authorize(user);
    const challenge = new URL(body.authorization_url).searchParams.get('code_challenge');
    const { rows } = await fixture.service.pool.query<{ stored: string }>(
      `select verifier_secret as stored from oauth_state s join health_user u using (user_key) where u.id = $1`,
      [user],
    );
    const [{ stored }] = rows as [{ stored: string }];
    expect(stored).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{60,}$/);
    expect(createHash('sha256').update(stored).digest('base64url')).not.toBe(challenge);
  });

  test('must consent again if the verifier cannot be decrypted', async () => {
    const { body } = await fixture.authorize(user);
    await fixture.service.pool.query("update oauth_state set verifier_secret = 'v1.00000000.' || verifier_secret");
    const address = await fixture.consent(body.authorization_url, { account: account.id });
    const response = await fetch(address, { redirect: 'manual', headers: { Accept: 'application/json' } });
    expect([response.status, await response.json()]).toEqual([400, { detail: 'Invalid or expired state parameter' }]);
    expect(await fixture.connectionOf(user)).toBeUndefined();
  });

  test('returns to exactly the requested URL', async () => {
    const response = await fixture.connect(user, { account: account.id, redirectUri: BACK });
    expect([response.status, response.headers.get('location')]).toEqual([303, BACK]);
  });

  test('returns to the URL after browser normalization', async () => {
    const written = 'HTTPS://App.Example.com:443/x/../back?from=health';
    const response = await fixture.connect(user, { account: account.id, redirectUri: written });
    expect(response.headers.get('location')).toBe(BACK);
  });

  test.each(['https:\\\\app.example.com/back?from=health', 'https://app.example.com\\back?from=health'])(
    'cannot use the URL %s with a backslash',
    async (written) => {
      expect((await fixture.authorize(user, written)).status).toBe(422);
    },
  );

  test('can return to an app', async () => {
    const response = await fixture.connect(user, { account: account.id, redirectUri: 'coach:done' });
    expect(response.headers.get('location')).toBe('coach:done');
  });

  test('sees the scopes that the connection lacks', async () => {
    await fixture.connect(user, { account: account.id, scopes: [`${HEALTH}sleep.readonly`] });
    const connection = await fixture.connectionOf(user);
    expect(connection.status).toBe('active');
    expect(connection.scope.split(' ')).toContain(`${HEALTH}sleep.readonly`);
    expect(connection.missing_scopes).toContain(`${HEALTH}activity_and_fitness.readonly`);
    expect(connection.missing_scopes).not.toContain(`${HEALTH}sleep.readonly`);
    expect(connection.missing_data_types).toContain('steps');
    expect(connection.missing_data_types).not.toContain('sleep');
  });

  test('is not connected without scopes', async () => {
    const response = await fixture.connect(user, { account: account.id, scopes: [], redirectUri: BACK });
    const address = new URL(response.headers.get('location') ?? '');
    expect(address.searchParams.get('error')).toBe('nothing_granted');
    expect(address.searchParams.get('error_description')).toMatch(
      /select .*activity, health metrics, nutrition or sleep/,
    );
    expect(await fixture.connectionOf(user)).toBeUndefined();
    expect(await fixture.vendor.control.grantedScopes(account.id)).toEqual([]);
    const plain = await fixture.connect(user, { account: account.id, scopes: [] });
    expect(decodeURIComponent(plain.headers.get('location') ?? '')).toMatch(/^\/api\/v1\/oauth\/error\?.*select/);
  });

  test('is connected without a health profile and shown as not linked', async () => {
    const bare = await fixture.vendor.control.addAccount({ state: 'not_linked' });
    await fixture.connect(user, { account: bare.id });
    expect(await fixture.connectionOf(user)).toMatchObject({
      status: 'active',
      account_state: 'not_linked',
      provider_user_id: null,
    });
  });

  test('is connected although the vendor returns 500 for the identity', async () => {
    await fixture.vendor.control.addFault({
      kind: 'error',
      status: 500,
      match: { operation: 'identity' },
      times: null,
    });
    await fixture.connect(user, { account: account.id });
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active', provider_user_id: null });
  });

  test('has at least two connection records in the audit trail', async () => {
    await fixture.connect(user, { account: account.id });
    const developer = await fixture.asDeveloper();
    await expect
      .poll(async () => (await developer('GET', `/api/v1/audit?user_id=${user}&resource=connection`)).body.data.length)
      .toBeGreaterThanOrEqual(2);
  });
});

describe('connecting again', () => {
  test('keeps the history when the same account is reconnected', async () => {
    await fixture.connect(user, { account: account.id });
    const first = await fixture.connectionOf(user);
    await fixture.service.pool.query('update connection set last_synced_at = now() where id = $1', [first.id]);
    await fixture.service.pool.query(`insert into connection_data_type values ($1, 'steps', now())`, [first.id]);
    await fixture.connect(user, { account: account.id });
    const again = await fixture.connectionOf(user);
    expect([again.id, again.created_at]).toEqual([first.id, first.created_at]);
    expect(again.last_synced_at).not.toBeNull();
    const cursors = await fixture.service.pool.query('select 1 from connection_data_type where connection_id = $1', [
      first.id,
    ]);
    expect(cursors.rowCount).toBe(1);
  });

  test('starts without history for another account', async () => {
    await fixture.connect(user, { account: account.id });
    const first = await fixture.connectionOf(user);
    await fixture.service.pool.query('update connection set last_synced_at = now() where id = $1', [first.id]);
    await fixture.service.pool.query(`insert into connection_data_type values ($1, 'steps', now())`, [first.id]);
    const other = await fixture.vendor.control.addAccount();
    await fixture.connect(user, { account: other.id });
    expect(await fixture.connectionOf(user)).toMatchObject({
      id: first.id,
      provider_user_id: other.healthUserId,
      provider_username: other.email,
      last_synced_at: null,
    });
    const cursors = await fixture.service.pool.query('select 1 from connection_data_type where connection_id = $1', [
      first.id,
    ]);
    expect(cursors.rowCount).toBe(0);
  });
});

describe('a failed consent', () => {
  test('redirects with the error after a decline', async () => {
    const response = await fixture.connect(user, { decision: 'deny', redirectUri: BACK });
    expect(errorIn(response)).toEqual({ error: 'access_denied', text: 'Access was denied', from: 'health' });
    expect(await fixture.connectionOf(user)).toBeUndefined();
  });

  test("shows the service's page without a redirect URL", async () => {
    const response = await fixture.connect(user, { decision: 'deny' });
    expect(response.headers.get('location')).toBe('/api/v1/oauth/error?message=Access+was+denied');
  });

  test('reports a rejected code without vendor text', async () => {
    await fixture.vendor.control.addFault({ kind: 'oauth_error', error: 'invalid_grant', match: { role: 'token' } });
    const response = await fixture.connect(user, { account: account.id });
    expect([response.status, await response.json()]).toEqual([
      400,
      { detail: 'Failed to exchange authorization code' },
    ]);
  });

  test('shows wrong operator credentials as the reason only in the log', async () => {
    await fixture.vendor.control.addFault({
      kind: 'oauth_error',
      error: 'invalid_client',
      status: 401,
      match: { role: 'token' },
    });
    const response = await fixture.connect(user, { account: account.id, redirectUri: BACK });
    expect(errorIn(response)).toMatchObject({ error: 'server_error' });
    expect(fixture.service.logLines.some((line) => line.includes('operator 401 invalid_client'))).toBe(true);
  });

  test('can be restarted after an outage', async () => {
    await fixture.vendor.control.addFault({ kind: 'bad_gateway', match: { role: 'token' } });
    expect((await fixture.connect(user, { account: account.id })).status).toBe(503);
    expect((await fixture.connect(user, { account: account.id })).status).toBe(303);
  });
});

describe('a consent state', () => {
  test('is accepted from only one of five concurrent requests', async () => {
    const { body } = await fixture.authorize(user);
    const address = await fixture.consent(body.authorization_url, { account: account.id });
    const responses = await Promise.all(Array.from({ length: 5 }, () => fetch(address, { redirect: 'manual' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400]);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active' });
  });

  test('is used up by a declined consent', async () => {
    const { body } = await fixture.authorize(user);
    const denied = await fixture.consent(body.authorization_url, { decision: 'deny' });
    await fetch(denied, { redirect: 'manual' });
    const again = await fetch(denied.replace('error=access_denied', 'code=some'), { redirect: 'manual' });
    expect([again.status, await again.json()]).toEqual([400, { detail: 'Invalid or expired state parameter' }]);
  });

  test('expires after 15 minutes', async () => {
    const { body } = await fixture.authorize(user);
    const address = await fixture.consent(body.authorization_url, { account: account.id });
    await fixture.service.pool.query(`update oauth_state set expires_at = expires_at - interval '15 minutes'`);
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(400);
  });

  test('of another provider is used up when rejected', async () => {
    const { body } = await fixture.authorize(user);
    const address = await fixture.consent(body.authorization_url, { account: account.id });
    const elsewhere = await fetch(address.replace('/google/', '/oura/'), { redirect: 'manual' });
    expect([elsewhere.status, await elsewhere.json()]).toEqual([400, { detail: 'Provider mismatch in state' }]);
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(400);
  });

  test('redirects to the error page if missing', async () => {
    const response = await fetch(`${fixture.service.url}/api/v1/oauth/google/callback?hd=example.org`, {
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/api/v1/oauth/error?message=Missing+OAuth+parameters',
    ]);
  });

  test('is stored only as a hash', async () => {
    const { body } = await fixture.authorize(user);
    const { rows } = await fixture.service.pool.query('select row_to_json(oauth_state)::text as text from oauth_state');
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) expect(text).not.toContain(body.state);
  });
});

test('revokes the consent of a user who is erased during the consent', async () => {
  const developer = await fixture.asDeveloper();
  await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'userInfo' } });
  const connecting = fixture.connect(user, { account: account.id });
  await expect.poll(() => fixture.vendor.control.grantedScopes(account.id)).not.toEqual([]);
  const states = () =>
    fixture.service.pool.query('select 1 from oauth_state join health_user u using (user_key) where u.id = $1', [user]);
  await expect.poll(async () => (await states()).rowCount).toBe(0);
  expect((await developer('DELETE', `/api/v1/users/${user}`)).status).toBe(200);
  expect((await connecting).status).toBe(400);
  expect(await fixture.vendor.control.grantedScopes(account.id)).toEqual([]);
});

describe('authorize', () => {
  test('requires an existing user', async () => {
    const id = randomUUID();
    expect(await fixture.authorize(id)).toMatchObject({
      status: 404,
      body: { detail: `User with ID: ${id} not found.` },
    });
    const missing = await fixture.call('GET', '/api/v1/oauth/google/authorize');
    expect(missing).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'user_id'], msg: 'Field required' }] },
    });
  });

  test('is rejected for push-only providers', async () => {
    const response = await fixture.call('GET', `/api/v1/oauth/apple/authorize?user_id=${user}`);
    expect(response).toMatchObject({ status: 400, body: { detail: "Provider 'apple' does not support OAuth" } });
  });

  test('lists the provider names if the provider is misspelled', async () => {
    const response = await fixture.call('GET', `/api/v1/oauth/Google/authorize?user_id=${user}`);
    expect([response.status, response.body.detail[0].msg]).toEqual([422, expect.stringContaining("'google'")]);
  });

  test.each([
    'https://evil.example/back',
    'https://app.example.com/back',
    'https://app.example.com/back?from=health&more=1',
    'https://app.example.com.evil.example/back?from=health',
    'javascript:alert(1)',
    'not an address',
  ])('names the setting that forbids a redirect to %s', async (redirectUri) => {
    const response = await fixture.authorize(user, redirectUri);
    expect([response.status, response.body.detail[0].loc]).toEqual([422, ['query', 'redirect_uri']]);
    expect(response.body.detail[0].msg).toContain('OAUTH_REDIRECT_ALLOWLIST');
  });

  test('is rejected while the provider is disabled', async () => {
    const developer = await fixture.asDeveloper();
    await developer('PUT', '/api/v1/oauth/providers/google', { is_enabled: false });
    expect(await fixture.authorize(user)).toMatchObject({
      status: 409,
      body: { detail: "Provider 'google' is disabled" },
    });
    await developer('PUT', '/api/v1/oauth/providers/google', { is_enabled: true });
    expect((await fixture.authorize(user)).status).toBe(200);
  });
});

describe('the final page of a consent', () => {
  const page = (path: string, accept: string) =>
    fetch(`${fixture.service.url}/api/v1/oauth/${path}`, { headers: { Accept: accept } });

  test('is HTML for browsers and JSON for programs', async () => {
    const path = `success?provider=google&user_id=${user}`;
    const json = await page(path, 'application/json');
    expect(await json.json()).toEqual({
      success: true,
      message: 'Successfully connected to google',
      user_id: user,
      provider: 'google',
    });
    const html = await page(path, 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8');
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await html.text()).toContain('<h1>Connected to Google Health</h1>');
  });

  test("shows only the service's own text", async () => {
    const words = encodeURIComponent('<b>Your account is locked, call 555</b>');
    expect(await (await page(`error?message=${words}`, 'text/html')).text()).toContain('OAuth authentication failed');
    const known = await page('error?message=Access+was+denied', 'application/json');
    expect(await known.json()).toEqual({ success: false, message: 'Access was denied' });
  });
});
