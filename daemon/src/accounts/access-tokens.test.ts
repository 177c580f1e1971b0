import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { AccessTokens } from './access-tokens.js';
import { deriveKey } from './signing-keys.js';

const signingKey = new Uint8Array(32).fill(1);
const developer = {
  developerId: '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c01',
  sessionId: '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c02',
};
const sdk = { ...{ userId: '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c03', appId: 'app_1' }, sessionId: developer.sessionId };
const tokens = new AccessTokens(signingKey, 3600);

test('a token says its kind, issuer, audience, id and end', async () => {
  const token = await tokens.signDeveloper(developer);
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'developer+jwt' });
  const claims = decodeJwt(token);
  expect(claims).toMatchObject({ sub: developer.developerId, iss: 'healthd', aud: 'developer' });
  expect(claims.exp! - claims.iat!).toBe(3600);
  expect(await tokens.signDeveloper(developer)).not.toBe(token);
});

test('each kind is read by its own verifier and by no other', async () => {
  const [forDeveloper, forSdk] = [await tokens.signDeveloper(developer), await tokens.signSdk(sdk)];
  expect(await tokens.verifyDeveloper(forDeveloper)).toEqual(developer);
  expect(await tokens.verifySdk(forSdk)).toEqual(sdk);
  expect(await tokens.verifyDeveloper(forSdk)).toBeUndefined();
  expect(await tokens.verifySdk(forDeveloper)).toBeUndefined();
});

test('an expired token is refused', async () => {
  expect(await tokens.verifySdk(await new AccessTokens(signingKey, -1).signSdk(sdk))).toBeUndefined();
});

test('a token of another signing key is refused', async () => {
  const foreign = new AccessTokens(new Uint8Array(32).fill(2), 3600);
  expect(await tokens.verifyDeveloper(await foreign.signDeveloper(developer))).toBeUndefined();
});

test.each([
  ['a subject that is no UUID', { sub: 'None' }, 'developer+jwt', 'developer'],
  ['another audience', {}, 'developer+jwt', 'sdk'],
  ['another type', {}, 'JWT', 'developer'],
])('a token with %s is refused', async (_case, claims, typ, audience) => {
  const token = await new SignJWT({ sub: developer.developerId, sid: developer.sessionId, jti: '1', ...claims })
    .setProtectedHeader({ alg: 'HS256', typ })
    .setIssuer('healthd')
    .setAudience(audience)
    .setExpirationTime('1h')
    .sign(deriveKey(signingKey, 'developer-access'));
  expect(await tokens.verifyDeveloper(token)).toBeUndefined();
});

test.each(['', 'x', 'a.b.c', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`])(
  'nonsense such as "%s" is refused',
  async (token) => {
    expect(await tokens.verifyDeveloper(token)).toBeUndefined();
    expect(await tokens.verifySdk(token)).toBeUndefined();
  },
);
