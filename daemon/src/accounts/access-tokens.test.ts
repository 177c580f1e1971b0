import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { AccessTokens } from './access-tokens.js';
import { deriveKey } from './signing-keys.js';

const signingKey = new Uint8Array(32).fill(1);
const developer = {
  developerId: '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c01',
  sessionId: '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c02',
};
const sdk = { userId: '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c03', appId: 'app_1', sessionId: developer.sessionId };
const tokens = new AccessTokens(signingKey, 3600);

test('issues unique developer tokens with type, subject, issuer, audience and expiry', async () => {
  const token = await tokens.signDeveloper(developer);
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'developer+jwt' });
  const claims = decodeJwt(token);
  expect(claims).toMatchObject({ sub: developer.developerId, iss: 'healthd', aud: 'developer' });
  expect(claims.exp! - claims.iat!).toBe(3600);
  expect(await tokens.signDeveloper(developer)).not.toBe(token);
});

test('accepts each token type only in its own verifier', async () => {
  const [forDeveloper, forSdk] = [await tokens.signDeveloper(developer), await tokens.signSdk(sdk)];
  expect(await tokens.verifyDeveloper(forDeveloper)).toEqual(developer);
  expect(await tokens.verifySdk(forSdk)).toEqual(sdk);
  expect(await tokens.verifyDeveloper(forSdk)).toBeUndefined();
  expect(await tokens.verifySdk(forDeveloper)).toBeUndefined();
});

test('rejects an expired token', async () => {
  expect(await tokens.verifySdk(await new AccessTokens(signingKey, -1).signSdk(sdk))).toBeUndefined();
});

test('rejects a token of another signing key', async () => {
  const foreign = new AccessTokens(new Uint8Array(32).fill(2), 3600);
  expect(await tokens.verifyDeveloper(await foreign.signDeveloper(developer))).toBeUndefined();
});

/** Returns a correctly signed token with wrong claims. Undefined claims are omitted. */
function forged(kind: 'developer' | 'sdk', claims: object, header: object = {}): Promise<string> {
  const right = { sub: developer.developerId, sid: developer.sessionId, app_id: 'app_1', jti: '1' };
  const times = { iss: 'healthd', aud: kind, iat: 1_770_000_000, exp: 4_000_000_000 };
  return new SignJWT({ ...right, ...times, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: `${kind}+jwt`, ...header })
    .sign(deriveKey(signingKey, `${kind}-access`));
}

test('accepts a complete token, even with uppercase IDs', async () => {
  const claims = { sub: developer.developerId.toUpperCase(), sid: developer.sessionId.toUpperCase() };
  expect(await tokens.verifyDeveloper(await forged('developer', claims))).toEqual(developer);
  expect(await tokens.verifySdk(await forged('sdk', { sub: sdk.userId }))).toEqual(sdk);
});

test.each<[name: string, claims: object, header?: object]>([
  ['a subject that is not a UUID', { sub: 'None' }],
  ['no subject', { sub: undefined }],
  ['a session that is not a UUID', { sid: 'None' }],
  ['a session that is not a string', { sid: 5 }],
  ['no session', { sid: undefined }],
  ['no id', { jti: undefined }],
  ['no expiry', { exp: undefined }],
  ['an expiry in the past', { exp: 1_770_000_001 }],
  ['another audience', { aud: 'console' }],
  ['another issuer', { iss: 'somebody' }],
  ['another type', {}, { typ: 'JWT' }],
  ['another algorithm of the same key', {}, { alg: 'HS512' }],
])('rejects developer and device tokens with %s', async (_case, claims, header = {}) => {
  expect(await tokens.verifyDeveloper(await forged('developer', claims, header))).toBeUndefined();
  expect(await tokens.verifySdk(await forged('sdk', claims, header))).toBeUndefined();
});

test.each([
  ['no application', { app_id: undefined }],
  ['an application that is not a string', { app_id: 1 }],
])('rejects a device token with %s', async (_case, claims) => {
  expect(await tokens.verifySdk(await forged('sdk', claims))).toBeUndefined();
});

test.each(['', 'x', 'a.b.c', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`])(
  'rejects "%s", which is not a signed token',
  async (token) => {
    expect(await tokens.verifyDeveloper(token)).toBeUndefined();
    expect(await tokens.verifySdk(token)).toBeUndefined();
  },
);
