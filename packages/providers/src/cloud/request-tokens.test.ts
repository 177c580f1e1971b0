import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestTokens, revokeToken, type TokenRequest } from './request-tokens.js';
import { html, json, VendorServer } from './testing/vendor-server.js';
import { VendorError } from './vendor-error.js';

let server: VendorServer;
beforeAll(async () => {
  server = await new VendorServer().start();
});
afterAll(() => server.stop());

const CLIENT = { clientId: 'id 1', clientSecret: 's+e/c:é', authentication: 'body' } as const;
const ISSUED = {
  access_token: 'at-1',
  refresh_token: 'rt-1',
  expires_in: '3599',
  refresh_token_expires_in: 604799,
  scope: 'a b',
  user_id: 77,
};

function refresh(change: Partial<TokenRequest> = {}) {
  const grant = { kind: 'refresh_token', refreshToken: 'rt-0' } as const;
  return requestTokens({ address: `${server.origin}/token`, grant, client: CLIENT, ...change });
}

async function failure(call: Promise<unknown>): Promise<VendorError> {
  const error = await call.catch((thrown: unknown) => thrown);
  if (!(error instanceof VendorError)) throw new Error('no VendorError');
  return error;
}

it('exchanges a code with verifier and credentials in the form', async () => {
  server.answer(json(200, ISSUED));
  const grant = { kind: 'authorization_code', code: '4/0Ab', redirectUri: 'http://a/cb', codeVerifier: 'v' } as const;
  const tokens = await refresh({ grant });
  expect(tokens).toEqual({
    accessToken: 'at-1',
    refreshToken: 'rt-1',
    expiresInSeconds: 3599,
    scope: 'a b',
    members: ISSUED,
  });
  expect(Object.fromEntries(new URLSearchParams(server.seen[0]?.body))).toEqual({
    grant_type: 'authorization_code',
    code: '4/0Ab',
    redirect_uri: 'http://a/cb',
    code_verifier: 'v',
    client_id: 'id 1',
    client_secret: 's+e/c:é',
  });
});

it('strips control characters from the granted scope', async () => {
  server.answer(json(200, { ...ISSUED, scope: '\0a\r\n\0b\0' }));
  expect((await refresh()).scope).toBe('a b');
});

it.each([
  [1e20, 315_360_000],
  [0, 0],
  ['0', 0],
  [3599.9, 3599],
  [-1, undefined],
  ['soon', undefined],
  ['', undefined],
  ['1e999', undefined],
  [null, undefined],
  [true, undefined],
])('reads a lifetime of %j as %j seconds', async (expires_in, expiresInSeconds) => {
  server.answer(json(200, { access_token: 'at-2', expires_in }));
  expect((await refresh()).expiresInSeconds).toBe(expiresInSeconds);
});

it('sends form-encoded credentials only by HTTP Basic', async () => {
  server.answer(json(200, { access_token: 'at-2' }));
  const tokens = await refresh({ client: { ...CLIENT, authentication: 'basic' } });
  expect(tokens).toMatchObject({ accessToken: 'at-2', refreshToken: undefined, expiresInSeconds: undefined });
  const [seen] = server.seen;
  const basic = Buffer.from(seen?.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
  expect(basic).toBe('id+1:s%2Be%2Fc%3A%C3%A9');
  expect(seen?.body).toBe('grant_type=refresh_token&refresh_token=rt-0');
});

it('exchanges an assertion for a token without client credentials', async () => {
  server.answer(json(200, { access_token: 'at-3', refresh_token: '', scope: 7 }));
  const tokens = await refresh({ grant: { kind: 'assertion', assertion: 'signed' }, client: undefined });
  expect(tokens).toMatchObject({ accessToken: 'at-3', refreshToken: undefined, scope: undefined });
  const [seen] = server.seen;
  expect(Object.fromEntries(new URLSearchParams(seen?.body))).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: 'signed',
  });
  expect(seen?.headers.authorization).toBeUndefined();
});

it('requests the configured scopes as a form on renewal', async () => {
  server.answer(json(200, ISSUED));
  await refresh({ grant: { kind: 'refresh_token', refreshToken: 'rt-0', scope: 'a b' } });
  const [seen] = server.seen;
  expect(new URLSearchParams(seen?.body).get('scope')).toBe('a b');
  expect(seen?.headers).toMatchObject({
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': 'healthd',
  });
});

it('reports only an invalid grant as unauthorized', async () => {
  const expected: [number, unknown, string, string | undefined][] = [
    [400, { error: 'invalid_grant', error_description: 'Token of Jane revoked' }, 'unauthorized', 'invalid_grant'],
    [401, { error: 'invalid_grant' }, 'unauthorized', 'invalid_grant'],
    [200, { error: 'invalid_grant' }, 'unauthorized', 'invalid_grant'],
    [401, { error: 'invalid_client' }, 'operator', 'invalid_client'],
    [400, { error: 'unauthorized_client' }, 'operator', 'unauthorized_client'],
    [400, { error: 'redirect_uri_mismatch' }, 'operator', 'redirect_uri_mismatch'],
    [400, { error: 'invalid_request' }, 'invalid_request', 'invalid_request'],
    [400, { error: 'a_new_word' }, 'operator', 'a_new_word'],
    [400, { error: { message: 'Jane' } }, 'invalid_answer', undefined],
    [401, {}, 'invalid_answer', undefined],
    [500, {}, 'unavailable', undefined],
    [503, { error: 'invalid_client' }, 'operator', 'invalid_client'],
    [429, {}, 'rate_limited', undefined],
    [200, {}, 'invalid_answer', undefined],
    [200, [], 'invalid_answer', undefined],
    [200, { access_token: '' }, 'invalid_answer', undefined],
    [200, { access_token: 5 }, 'invalid_answer', undefined],
    [200, { access_token: null }, 'invalid_answer', undefined],
    [200, null, 'invalid_answer', undefined],
    [200, 'at-1', 'invalid_answer', undefined],
  ];
  for (const [status, body, code, reason] of expected) {
    server.answer(json(status, body));
    const error = await failure(refresh());
    expect([error.code, error.reason], JSON.stringify([status, body])).toEqual([code, reason]);
    expect(error.message).not.toContain('Jane');
    expect(server.seen).toHaveLength(1);
  }
});

it('never reports proxy pages, cut connections and time-outs as unauthorized', async () => {
  server.answer(html(401));
  expect((await failure(refresh())).code).toBe('invalid_answer');
  server.answer(html(502));
  expect(await failure(refresh())).toMatchObject({ code: 'unavailable', isTransient: true });
  server.answer((response) => response.socket?.destroy());
  expect((await failure(refresh())).code).toBe('unavailable');
  server.answer(() => undefined);
  expect(await failure(refresh({ timeoutMs: 100 }))).toMatchObject({ code: 'unavailable', reason: 'timeout' });
});

it("reads a vendor's own error codes", async () => {
  server.answer(json(400, { errors: [{ code: 'invalid', field: 'refresh_token' }] }));
  const readError = () => ({ code: 'unauthorized', reason: 'invalid' }) as const;
  expect(await failure(refresh({ readError }))).toMatchObject({ code: 'unauthorized', status: 400 });
});

it('reports an unset URL as a deployment error', async () => {
  expect((await failure(refresh({ address: '' }))).code).toBe('operator');
});

it('treats an invalid token as revoked', async () => {
  const revoke = () => revokeToken({ address: `${server.origin}/revoke`, token: 'rt-0' });
  server.answer(json(200, {}));
  await revoke();
  expect(server.seen[0]?.body).toBe('token=rt-0');
  server.answer((response) => response.writeHead(200).end());
  await revoke();
  server.answer(json(400, { error: 'invalid_token', error_description: 'Token expired or revoked' }));
  await revoke();
  server.answer(json(503, {}));
  expect((await failure(revoke())).code).toBe('unavailable');
});

it('reports a token that the vendor did not revoke', async () => {
  const revoke = () => revokeToken({ address: `${server.origin}/revoke`, token: 'rt-0', client: CLIENT });
  for (const [status, error, code] of [
    [400, 'invalid_client', 'operator'],
    [401, 'invalid_client', 'operator'],
    [400, 'Words that no standard knows', 'invalid_answer'],
    [200, 'temporarily_unavailable', 'unavailable'],
    [200, 'invalid_request', 'invalid_request'],
  ] as const) {
    server.answer(json(status, { error }));
    expect((await failure(revoke())).code, `${status} ${error}`).toBe(code);
  }
  expect(Object.fromEntries(new URLSearchParams(server.seen[0]?.body))).toEqual({
    token: 'rt-0',
    client_id: 'id 1',
    client_secret: 's+e/c:é',
  });
});
