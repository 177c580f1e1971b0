import { createAccounts } from '@healthd/daemon/accounts';
import { bind } from '@healthd/daemon/http';
import { createSequelize } from '@healthd/daemon/platform/database';
import { createVault } from '@healthd/daemon/vault';
import { userParams } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';

const seen = {
  auth: 'sdk',
  scope: 'push',
  audit: { exempt: 'test' },
  tag: 'Meta',
  summary: 'Test',
  status: 204,
} as const;
const push = {
  ...seen,
  id: 'push',
  method: 'POST',
  path: '/api/v1/sdk/users/{user_id}/probe',
} as const;

const NEEDS_KEY =
  'Authentication required: provide JWT token or API key. The API key goes into X-Open-Wearables-API-Key, not into Authorization: Bearer.';
const NEEDS_SDK = NEEDS_KEY.replace('JWT token', 'SDK token');
const NO_KEY = 'Invalid or missing API key';
const NO_DEVELOPER = 'Could not validate credentials';
const NOT_FOR_SDK = 'SDK tokens cannot be used on this endpoint';
const LACKS = (scope: string) => `This API key lacks the scope '${scope}'.`;

let service: TestService;
let user: { id: string };
const credentials: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  service = await startTestService({
    serviceName: 'Open-Wearables',
    bindings: [bind({ ...push, params: userParams }, async () => undefined)],
  });
  user = (await service.call('POST', '/api/v1/users')).body;
  const other = (await service.call('POST', '/api/v1/users')).body;
  const { tokens } = await service.logIn();
  const { pool, signingKey } = service;
  const sequelize = createSequelize({ url: service.database.url });
  const expired = createAccounts({
    pool,
    sequelize,
    signingKey,
    vault: createVault([signingKey]),
    accessTokenMinutes: -1,
  }).accessTokens;
  const { accessTokens } = service.accounts;
  const { rows } = await pool.query('select id from developer');
  const developerId = rows[0].id as string;
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const key = { 'X-Service-API-Key': service.first.apiKey };
  const openDevice = async (userId: string) => {
    const tokens = await service.accounts.userTokens.issue(userId, { kind: 'developer', developerId });
    return String(tokens?.access_token);
  };
  const sdkToken = await openDevice(user.id);
  const { sessionId } = (await accessTokens.verifySdk(sdkToken))!;
  const expiredSdkToken = await expired.signSdk({ userId: user.id, appId: 'app_1', sessionId });
  const scoped = async (scope: 'read' | 'write' | 'push') => ({
    'X-Service-API-Key': (await service.accounts.apiKeys.create({ scopes: [scope] }, developerId)).key,
  });
  Object.assign(credentials, {
    nothing: {},
    'API key': key,
    'API key in the header of the service name': { 'x-open-wearables-api-key': service.first.apiKey },
    'unknown API key': { 'X-Service-API-Key': 'sk-unknown' },
    'empty API key': { 'X-Service-API-Key': '' },
    'API key as bearer': bearer(service.first.apiKey),
    'API key in another header': { 'X-API-Key': service.first.apiKey },
    'developer token': bearer(tokens.access_token),
    'developer token with a lower-case scheme': { Authorization: `bearer ${tokens.access_token}` },
    'developer token with another scheme': { Authorization: `Token ${tokens.access_token}` },
    'developer token and unknown API key': { ...bearer(tokens.access_token), 'X-Service-API-Key': 'sk-unknown' },
    'expired developer token': bearer(await expired.signDeveloper({ developerId, sessionId: user.id })),
    'expired developer token and API key': {
      ...bearer(await expired.signDeveloper({ developerId, sessionId: user.id })),
      ...key,
    },
    'developer token without a session': bearer(await accessTokens.signDeveloper({ developerId, sessionId: user.id })),
    'developer token of an unknown developer': bearer(
      await accessTokens.signDeveloper({ developerId: user.id, sessionId: user.id }),
    ),
    'nonsense as bearer': bearer('nonsense'),
    'SDK token': bearer(sdkToken),
    'SDK token without the word Bearer': { Authorization: sdkToken },
    'SDK token and API key': { ...bearer(sdkToken), ...key },
    'SDK token of another user': bearer(await openDevice(other.id)),
    'SDK token of an unknown user': bearer(
      await accessTokens.signSdk({ userId: developerId, appId: 'app_1', sessionId }),
    ),
    'expired SDK token': bearer(expiredSdkToken),
    'expired SDK token and API key': { ...bearer(expiredSdkToken), ...key },
    'SDK token without a session': bearer(
      await accessTokens.signSdk({ userId: user.id, appId: 'app_1', sessionId: user.id }),
    ),
    'read key': await scoped('read'),
    'write key': await scoped('write'),
    'push key': await scoped('push'),
  });
  await sequelize.close();
});
afterAll(() => service.stop());

type Outcome = 'ok' | readonly [status: number, detail: string];
const no = (detail: string): Outcome => [401, detail];

/** Expected outcomes of each credential on three routes: for keys (read), for developers, and for devices. */
const TABLE: Record<string, [key: Outcome, developer: Outcome, sdk: Outcome]> = {
  nothing: [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'API key': ['ok', no(NO_DEVELOPER), 'ok'],
  'API key in the header of the service name': ['ok', no(NO_DEVELOPER), 'ok'],
  'unknown API key': [no(NO_KEY), no(NO_DEVELOPER), no(NO_KEY)],
  'empty API key': [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'API key as bearer': [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'API key in another header': [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'developer token': ['ok', 'ok', no(NEEDS_SDK)],
  'developer token with a lower-case scheme': ['ok', 'ok', no(NEEDS_SDK)],
  'developer token with another scheme': [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'developer token and unknown API key': ['ok', 'ok', no(NO_KEY)],
  'expired developer token': [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'expired developer token and API key': ['ok', no(NO_DEVELOPER), 'ok'],
  'developer token without a session': [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'developer token of an unknown developer': [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'nonsense as bearer': [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'SDK token': [no(NEEDS_KEY), no(NOT_FOR_SDK), 'ok'],
  'SDK token without the word Bearer': [no(NEEDS_KEY), no(NO_DEVELOPER), 'ok'],
  'SDK token and API key': ['ok', no(NOT_FOR_SDK), 'ok'],
  'SDK token of another user': [no(NEEDS_KEY), no(NOT_FOR_SDK), [403, 'Token does not match user_id']],
  'SDK token of an unknown user': [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'expired SDK token': [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'expired SDK token and API key': ['ok', no(NO_DEVELOPER), 'ok'],
  'SDK token without a session': [no(NEEDS_KEY), no(NO_DEVELOPER), no(NEEDS_SDK)],
  'read key': ['ok', no(NO_DEVELOPER), no(LACKS('push'))],
  'write key': [[403, LACKS('read')], no(NO_DEVELOPER), no(LACKS('push'))],
  'push key': [[403, LACKS('read')], no(NO_DEVELOPER), 'ok'],
};

describe.each(Object.entries(TABLE))('%s', (name, outcomes) => {
  test.each([
    ['a data route', 0, 'GET', (): string => '/api/v1/users', 200],
    ['a developer route', 1, 'GET', (): string => '/api/v1/auth/me', 200],
    ['a device route', 2, 'POST', () => `/api/v1/sdk/users/${user.id}/probe`, 204],
  ] as const)('gets the listed response on %s', async (_route, column, method, path, success) => {
    const response = await service.anonymous(method, path(), undefined, credentials[name]);
    const outcome = outcomes[column];
    if (outcome === 'ok') {
      expect(response.status).toBe(success);
      return;
    }
    expect(response.body).toEqual({ detail: outcome[1] });
    expect(response.status).toBe(outcome[0]);
    const challenged = outcome[0] === 401 && column === 1;
    expect(response.headers.get('www-authenticate')).toBe(challenged ? 'Bearer' : null);
  });
});

test('tests every credential of the table', () => {
  expect(Object.keys(TABLE).sort()).toEqual(Object.keys(credentials).sort());
});

test("accepts any spelling of the user's ID with a token", async () => {
  const path = `/api/v1/sdk/users/${user.id.toUpperCase().replaceAll('-', '')}/probe`;
  expect((await service.anonymous('POST', path, undefined, credentials['SDK token'])).status).toBe(204);
});

test('hides invalid IDs from callers without credentials', async () => {
  expect((await service.anonymous('GET', '/api/v1/users/x')).status).toBe(401);
  expect((await service.call('GET', '/api/v1/users/x')).status).toBe(422);
});

test('checks credentials before the syntax of the body', async () => {
  const headers = { 'Content-Type': 'application/json' };
  expect((await service.anonymous('POST', '/api/v1/users', '{', headers)).status).toBe(401);
});
