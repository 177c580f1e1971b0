import { createPrivateKey, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokensSchema } from '../response-schemas.js';
import { exchange } from '../consented-client.js';
import type { GoogleSimulator } from '../simulator.js';
import { startGoogleSimulator } from '../start.js';

const CLOUD = 'https://www.googleapis.com/auth/cloud-platform';
let simulator: GoogleSimulator;
beforeAll(async () => {
  simulator = await startGoogleSimulator();
});
afterAll(() => simulator.close());

async function exchangeAssertion(change: Record<string, unknown> = {}) {
  const key = await simulator.control.serviceAccountKey();
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: key.client_email, scope: CLOUD, aud: key.token_uri, iat, exp: iat + 3600, ...change };
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${encode({ alg: 'RS256', typ: 'JWT', kid: key.private_key_id })}.${encode(claims)}`;
  const signature = sign('RSA-SHA256', Buffer.from(content), createPrivateKey(key.private_key!)).toString('base64url');
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  return exchange(simulator, { grant_type, assertion: `${content}.${signature}` });
}

async function subscribersOpenWith(token: string): Promise<number> {
  const url = `${simulator.urls.api}/v4/projects/${simulator.projectNumber}/subscribers`;
  return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
}

test('accepts an assertion signed with the key file', async () => {
  const tokens = (await exchangeAssertion()).as(tokensSchema);
  expect(tokens).toMatchObject({ expires_in: 3599, token_type: 'Bearer' });
  expect(tokens.refresh_token).toBeUndefined();
  expect(await subscribersOpenWith(tokens.access_token)).toBe(200);
});

test.each([
  ['lives longer than an hour', { exp: Math.floor(Date.now() / 1000) + 7200 }, 'invalid_grant'],
  ['is for another audience', { aud: 'https://elsewhere.example/token' }, 'invalid_grant'],
  ['is from another issuer', { iss: 'stranger@example.org' }, 'invalid_grant'],
  ['requests another scope', { scope: 'openid' }, 'invalid_scope'],
])('rejects an assertion that %s', async (_what, change, error) => {
  expect(await exchangeAssertion(change)).toMatchObject({ status: 400, body: { error } });
});

test('refreshes a user account’s application default credentials', async () => {
  const { refresh_token = '' } = await simulator.control.authorizedUser();
  const refreshed = await exchange(simulator, { grant_type: 'refresh_token', refresh_token });
  expect(await subscribersOpenWith(refreshed.as(tokensSchema).access_token)).toBe(200);
});

test('requires the Metadata-Flavor header on the metadata server', async () => {
  const url = `http://${simulator.urls.metadataHost}/computeMetadata/v1/instance/service-accounts/default/token`;
  expect((await fetch(url)).status).toBe(403);
  const response = await fetch(url, { headers: { 'metadata-flavor': 'Google' } });
  expect(response.headers.get('metadata-flavor')).toBe('Google');
  const { access_token } = tokensSchema.parse(await response.json());
  expect(await subscribersOpenWith(access_token)).toBe(200);
});
