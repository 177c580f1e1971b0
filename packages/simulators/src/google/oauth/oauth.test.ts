import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { jsonWebKeysSchema, tokensSchema } from '../response-schemas.js';
import {
  requestConsent,
  authorizeUrl,
  backWith,
  ConsentedClient,
  codeOf,
  DEFAULT_SCOPE,
  exchange,
  jsonResponse,
} from '../consented-client.js';
import type { GoogleSimulator } from '../simulator.js';
import { startGoogleSimulator } from '../start.js';

const CALLBACK = 'http://localhost:9/callback';
let simulator: GoogleSimulator;
beforeAll(async () => {
  simulator = await startGoogleSimulator({ autoConsent: true, refreshTokenSeconds: 604_800 });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.addAccount({ id: 'anna' });
});

const exchangeCode = (code: string, change: Record<string, string> = {}) =>
  exchange(simulator, { grant_type: 'authorization_code', code, ...change });
const refresh = (refresh_token: string) => exchange(simulator, { grant_type: 'refresh_token', refresh_token });
const SLEEP = 'https://www.googleapis.com/auth/googlehealth.sleep.readonly';

test('redirects with code, state and granted scopes', async () => {
  const back = backWith(await requestConsent(simulator));
  expect(back.get('state')).toBe('state-1');
  expect(back.get('code')).toMatch(/^4\/0A/);
  expect(back.get('scope')!.split(' ')).toContain('https://www.googleapis.com/auth/userinfo.email');
});

test('exchanges a code for tokens and a signed identity', async () => {
  const granted = await exchangeCode(codeOf(await requestConsent(simulator)));
  expect(granted.status).toBe(200);
  expect(granted.body).toMatchObject({ expires_in: 3599, token_type: 'Bearer', refresh_token_expires_in: 604_799 });
  const [header, claims = '', signature = ''] = granted.as(tokensSchema).id_token!.split('.');
  const { keys } = (await jsonResponse(await fetch(simulator.urls.certificates))).as(jsonWebKeysSchema);
  const key = createPublicKey({ key: keys[0]!, format: 'jwk' });
  expect(verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  const { subject } = (await simulator.control.accounts())[0]!;
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    sub: subject,
    aud: simulator.client.id,
  });
});

test('rejects a used code', async () => {
  const code = codeOf(await requestConsent(simulator));
  expect((await exchangeCode(code)).status).toBe(200);
  expect(await exchangeCode(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('rejects a code after ten minutes', async () => {
  const code = codeOf(await requestConsent(simulator));
  await simulator.control.advanceClock(601);
  expect(await exchangeCode(code)).toMatchObject({ body: { error: 'invalid_grant' } });
});

test('rejects an exchange with a wrong redirect URI, secret or grant type', async () => {
  const elsewhere = await exchangeCode(codeOf(await requestConsent(simulator)), { redirect_uri: `${CALLBACK}/` });
  expect(elsewhere).toMatchObject({ status: 400, body: { error: 'redirect_uri_mismatch' } });
  const stranger = await exchangeCode(codeOf(await requestConsent(simulator)), { client_secret: 'wrong' });
  expect(stranger).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  expect(await exchange(simulator, { grant_type: 'password' })).toMatchObject({
    body: { error: 'unsupported_grant_type' },
  });
});

test('requires the verifier of a PKCE challenge', async () => {
  const code_verifier = 'v'.repeat(64);
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const requested = { code_challenge, code_challenge_method: 'S256' };
  const code = async () => codeOf(await requestConsent(simulator, requested));
  expect(await exchangeCode(await code())).toMatchObject({ body: { error: 'invalid_grant' } });
  expect(await exchangeCode(await code(), { code_verifier: 'w'.repeat(64) })).toMatchObject({
    body: { error: 'invalid_grant' },
  });
  expect((await exchangeCode(await code(), { code_verifier })).status).toBe(200);
});

test('issues refresh tokens only for new or prompted offline consents', async () => {
  const online = await exchangeCode(codeOf(await requestConsent(simulator, { access_type: '' })));
  expect(online.as(tokensSchema).refresh_token).toBeUndefined();
  const again = await exchangeCode(codeOf(await requestConsent(simulator, { prompt: '' })));
  expect(again.as(tokensSchema).refresh_token).toBeUndefined();
  const prompted = await exchangeCode(codeOf(await requestConsent(simulator)));
  expect(prompted.as(tokensSchema).refresh_token).toMatch(/^1\/\//);
});

test('keeps the refresh token on a refresh unless rotation is enabled', async () => {
  const { tokens } = await ConsentedClient.connect(simulator, 'anna');
  const renewed = (await refresh(tokens.refresh_token)).as(tokensSchema);
  expect(renewed.access_token).not.toBe(tokens.access_token);
  expect(renewed.refresh_token).toBeUndefined();
  await simulator.control.setBehaviour({ rotateRefreshTokens: true });
  const rotated = await refresh(tokens.refresh_token);
  expect(rotated.as(tokensSchema).refresh_token).toMatch(/^1\/\//);
  expect(await refresh(tokens.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } });
});

test('rejects an expired refresh token', async () => {
  const { tokens } = await ConsentedClient.connect(simulator, 'anna');
  await simulator.control.advanceClock(604_801);
  expect(await refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('expires an access token after an hour', async () => {
  const client = await ConsentedClient.connect(simulator, 'anna');
  expect((await client.get('identity')).status).toBe(200);
  await simulator.control.advanceClock(3601);
  const late = await client.get('identity');
  expect(late.status).toBe(401);
  expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"');
});

test.each(['access_token', 'refresh_token'] as const)('ends the whole grant when the %s is revoked', async (kind) => {
  const client = await ConsentedClient.connect(simulator, 'anna');
  const revoke = () =>
    fetch(simulator.urls.revoke, { method: 'POST', body: new URLSearchParams({ token: client.tokens[kind] }) });
  expect((await revoke()).status).toBe(200);
  expect((await client.get('identity')).status).toBe(401);
  expect(await refresh(client.tokens.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } });
  expect((await revoke()).status).toBe(400);
});

test('grants only the scopes that the user selects', async () => {
  await simulator.control.updateAccount('anna', { grants: [SLEEP] });
  const { tokens } = await ConsentedClient.connect(simulator, 'anna');
  const health = tokens.scope.split(' ').filter((scope) => scope.includes('googlehealth'));
  expect(health).toEqual([SLEEP]);
});

test('includes previously granted scopes on request', async () => {
  await ConsentedClient.connect(simulator, 'anna');
  const alone = await exchangeCode(codeOf(await requestConsent(simulator, { scope: SLEEP })));
  expect(alone.as(tokensSchema).scope).toBe(SLEEP);
  const more = await requestConsent(simulator, { scope: SLEEP, include_granted_scopes: 'true' });
  const { scope } = (await exchangeCode(codeOf(more))).as(tokensSchema);
  expect(scope!.split(' ')).toHaveLength(DEFAULT_SCOPE.split(' ').length);
});

test('redirects with an error for denials and invalid parameters', async () => {
  await simulator.control.setConsent({ decision: 'deny' });
  expect(backWith(await requestConsent(simulator)).get('error')).toBe('access_denied');
  await simulator.control.setConsent({});
  expect(backWith(await requestConsent(simulator, { scope: 'everything' })).get('error')).toBe('invalid_scope');
  expect(backWith(await requestConsent(simulator, { code_challenge: 'short' })).get('error')).toBe('invalid_request');
});

test('shows a page for an unknown client or redirect URI', async () => {
  const wrong: Record<string, string>[] = [
    { client_id: 'nobody' },
    { redirect_uri: 'https://elsewhere.example/callback' },
  ];
  for (const change of wrong) {
    const response = await requestConsent(simulator, change);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get('location')).toBeNull();
  }
});

test('compares redirect URIs byte by byte', async () => {
  const client = { id: 'a', secret: 'b', redirectUris: [CALLBACK] };
  const strict = await startGoogleSimulator({ autoConsent: true, client });
  await strict.control.addAccount();
  expect((await requestConsent(strict)).status).toBe(302);
  expect((await requestConsent(strict, { redirect_uri: `${CALLBACK}/` })).status).toBe(400);
  await strict.close();
});

test('offers accounts, scopes, consent and denial on the consent page', async () => {
  const asking = await startGoogleSimulator();
  await asking.control.addAccount({ id: 'anna' });
  await asking.control.addAccount({ id: 'ben' });
  const url = authorizeUrl(asking, { login_hint: 'ben@example.org' });
  const page = await (await fetch(url)).text();
  expect(page.match(/type="checkbox"/g)).toHaveLength(5);
  expect(page).toContain('<option value="ben" selected>');
  const action = /action="([^"]+)"/.exec(page)![1]!.replaceAll('&#38;', '&');
  const submit = (form: [string, string][]) =>
    fetch(`${asking.urls.origin}${action}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const denied = await submit([
    ['account', 'ben'],
    ['decision', 'deny'],
  ]);
  expect(backWith(denied).get('error')).toBe('access_denied');
  const allowed = await submit([
    ['account', 'ben'],
    ['scope', SLEEP],
    ['decision', 'allow'],
  ]);
  const granted = await exchange(asking, { grant_type: 'authorization_code', code: codeOf(allowed) });
  const scopes = granted.as(tokensSchema).scope!.split(' ');
  expect(scopes.filter((scope) => scope.includes('googlehealth'))).toEqual([SLEEP]);
  expect(await asking.control.grantedScopes('ben')).toContain(SLEEP);
  expect(await asking.control.grantedScopes('anna')).toEqual([]);
  await asking.close();
});

test('returns the verified email at both user info URLs', async () => {
  const { tokens } = await ConsentedClient.connect(simulator, 'anna');
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  for (const url of [simulator.urls.userInfo, `${simulator.urls.origin}/oauth2/v3/userinfo`]) {
    expect(await (await fetch(url, { headers })).json()).toMatchObject({
      email: 'anna@example.org',
      email_verified: true,
    });
  }
});

test('silently revokes the first refresh token when issuing the 101st', async () => {
  const { tokens } = await ConsentedClient.connect(simulator, 'anna');
  for (let n = 0; n < 99; n++) await ConsentedClient.connect(simulator, 'anna');
  expect((await refresh(tokens.refresh_token)).status).toBe(200);
  await ConsentedClient.connect(simulator, 'anna');
  expect(await refresh(tokens.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } });
});
