import { randomUUID } from 'node:crypto';
import { declaredRoutes, type RouteDeclaration } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, type Call, caller } from '../support/service.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

let service: WholeService;
let developer: Call;
let key: Call;
beforeAll(async () => {
  service = await startWholeService();
  await useCredentials();
});
afterAll(() => service.stop());

async function useCredentials() {
  const { accounts, email, password } = service;
  const tokens = await accounts.sessions.login({ email, password, address: undefined });
  developer = caller(service, { Authorization: `Bearer ${tokens.access_token}` });
  key = caller(service, { [service.apiKeyHeader]: service.apiKey });
}

/** Routes whose callers do not follow this contract. */
const EXEMPT = [
  'pushDeviceData',
  'sendDeviceLogs',
  'getPhoneState',
  'receiveProviderWebhook',
  'verifyProviderWebhook',
  'startAuthorization',
  'completeAuthorization',
  'showConnected',
  'showConnectionError',
  'showConnectPage',
  'beginConnectLink',
  'login',
  'openConsoleSession',
  'refreshTokens',
  'renewConsoleSession',
  'redeemInvitationCode',
];
const named = (routes: readonly RouteDeclaration[]) => routes.map((route) => [route.id, route] as const);
const strict = declaredRoutes.filter(({ id }) => !EXEMPT.includes(id));

function addressOf(route: RouteDeclaration): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => (name === 'provider' ? 'google' : randomUUID()));
}

function send(route: RouteDeclaration, query: string, body?: unknown): Promise<Answered> {
  return (route.auth === 'sdk' ? key : developer)(route.method, `${addressOf(route)}${query}`, body);
}

function unknownRows({ body }: Answered): unknown[] {
  if (!Array.isArray(body?.detail)) return [];
  return body.detail.filter(({ type }: { type: string }) => type === 'extra_forbidden');
}

test('exempts exactly the listed routes', () => {
  expect(declaredRoutes.filter((route) => route.ignoresUnknown).map(({ id }) => id)).toEqual(
    expect.arrayContaining(EXEMPT),
  );
  expect(declaredRoutes.filter((route) => route.ignoresUnknown)).toHaveLength(EXEMPT.length);
});

test.each(named(strict))('%s rejects an undeclared query parameter', async (_id, route) => {
  const response = await send(route, '?zz_nobody=hunter2', route.body && {});
  expect(response.status).toBe(422);
  expect(unknownRows(response)).toEqual([
    { loc: ['query', 'zz_nobody'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
  ]);
});

test.each(named(strict.filter(({ body }) => body)))('%s rejects an undeclared field', async (_id, route) => {
  const response = await send(route, '', { zz_nobody: 'hunter2' });
  expect(response.status).toBe(422);
  expect(unknownRows(response)).toEqual([
    { loc: ['body', 'zz_nobody'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
  ]);
});

test.each(named(declaredRoutes.filter(({ id }) => EXEMPT.includes(id))))(
  '%s ignores undeclared fields and parameters',
  async (_id, route) => {
    expect(unknownRows(await send(route, '?zz_nobody=1'))).toEqual([]);
    if (route.body && route.bodyType === undefined) {
      expect(unknownRows(await send(route, '', { zz_nobody: 1 }))).toEqual([]);
    }
  },
);

test('suggests the right name for a misspelled field', async () => {
  const response = await key('POST', '/api/v1/users', { firstname: 'Anna' });
  expect(response.status).toBe(422);
  expect(response.body.detail).toEqual([
    {
      loc: ['body', 'firstname'],
      msg: 'Extra inputs are not permitted. `firstname`: did you mean `first_name`?',
      type: 'extra_forbidden',
      ctx: { suggestion: 'first_name' },
    },
  ]);
  expect((await key('GET', '/api/v1/users')).body.total).toBe(0);
});

test('reports missing and unknown fields together', async () => {
  const query = 'startDate=2026-11-01&end_date=2026-11-02';
  const response = await key('GET', `/api/v1/users/${randomUUID()}/summaries/activity?${query}`);
  expect(response.body.detail).toMatchObject([
    { loc: ['query', 'start_date'], type: 'missing' },
    { loc: ['query', 'startDate'], type: 'extra_forbidden', ctx: { suggestion: 'start_date' } },
  ]);
});

test('finds an unknown name inside a list', async () => {
  const priorities = [{ provider: 'apple', priority: 1, enabled: true }];
  const response = await developer('PUT', '/api/v1/priorities/providers', { priorities });
  expect(response.body.detail).toMatchObject([{ loc: ['body', 'priorities', 0, 'enabled'], type: 'extra_forbidden' }]);
});

describe('with ERROR_FORMAT=compat', () => {
  beforeAll(async () => {
    await service.restart({ ERROR_FORMAT: 'compat' });
    await useCredentials();
  });

  test('ignores unknown fields and parameters', async () => {
    const created = await key('POST', '/api/v1/users?trace=1', { first_name: 'Anna', colour: 'red' });
    expect([created.status, created.body.first_name]).toEqual([201, 'Anna']);
    expect((await key('GET', '/api/v1/users?pretty=true')).body.total).toBe(1);
  });
});
