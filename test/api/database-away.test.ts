import { randomUUID } from 'node:crypto';
import { declaredRoutes, type RouteDeclaration } from '@healthd/schemas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabasePath, openDatabasePath } from '../support/database-path.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

/** Routes that respond without stored data. */
const ANSWERED = [
  'showConnected',
  'showConnectionError',
  // The test's token has an invalid format, so the service does not look it up.
  'showConnectPage',
  'receiveProviderWebhook',
  'verifyProviderWebhook',
  'getCoverage',
  // The URL contains a signed token, which the service verifies first.
  'uploadToAddress',
];

let path: DatabasePath;
let service: WholeService;
let userId: string;
let credentials: Record<RouteDeclaration['auth'], Record<string, string>>;

beforeAll(async () => {
  service = await startWholeService({}, 'api', async (url) => {
    path = await openDatabasePath(url);
    return path.url;
  });
  const { accounts, apiKey, apiKeyHeader, pool } = service;
  const key = { [apiKeyHeader]: apiKey };
  const created = await fetch(`${service.url}/api/v1/users`, { method: 'POST', headers: key });
  userId = ((await created.json()) as { id: string }).id;
  const { rows } = await pool.query<{ id: string }>('select id from developer');
  const developerId = rows[0]?.id ?? '';
  const bearer = (token: string | undefined) => ({ Authorization: `Bearer ${token}` });
  const developer = bearer((await accounts.sessions.open(developerId))?.access_token);
  const sdk = bearer((await accounts.userTokens.issue(userId, { kind: 'developer', developerId }))?.access_token);
  credentials = { public: {}, key, developer, sdk, device: sdk, application: developer };
  await path.cut();
});
afterAll(() => service.stop());

test.each(declaredRoutes.filter(({ id }) => !ANSWERED.includes(id)))(
  'responds 503 with a retry time during a database outage: $id',
  async (route) => {
    const response = await call(route);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  },
);

test('responds on routes that need no stored data during a database outage', async () => {
  for (const route of declaredRoutes.filter(({ id }) => ANSWERED.includes(id))) {
    expect([200, 404, 422, 501]).toContain((await call(route)).status);
  }
  expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  expect((await fetch(`${service.url}/openapi.json`)).status).toBe(200);
});

test('is not ready until a database outage ends', async () => {
  const ready = await fetch(`${service.url}/health/ready`);
  expect([ready.status, Number(ready.headers.get('retry-after')) > 0]).toEqual([503, true]);
  await path.mend();
  try {
    await expect.poll(async () => (await fetch(`${service.url}/health/ready`)).status).toBe(200);
    const users = await fetch(`${service.url}/api/v1/users`, { headers: credentials.key });
    expect(users.status).toBe(200);
  } finally {
    await path.cut();
  }
});

/** Calls a route with a valid credential and valid path parameters. */
function call(route: RouteDeclaration): Promise<Response> {
  const address = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'user_id' ? userId : (VALUES[name] ?? randomUUID()),
  );
  const declared = Object.entries(QUERY).filter(([name]) => route.query && name in route.query.shape);
  const query = new URLSearchParams(declared);
  return fetch(`${service.url}${address}?${query}`, {
    method: route.method,
    headers: {
      ...credentials[route.auth],
      ...(route.body ? { 'Content-Type': route.bodyType === 'form' ? FORM : 'application/json' } : {}),
    },
    body: bodyOf(route),
    redirect: 'manual',
  });
}

/**
 * Valid query parameters for every route. Validation would otherwise reject the request before it needs the database.
 */
const QUERY = {
  cause: 'vendor_failing',
  state: 'failing',
  code: 'y',
  provider: 'google',
  user_id: '00000000-0000-4000-8000-000000000000',
  start_date: '2026-01-01',
  end_date: '2026-01-02',
  start_time: '2026-01-01',
  end_time: '2026-01-02',
  date: '2026-01-01',
  from: '2026-01-01',
  to: '2026-01-02',
  types: 'steps',
};
const FORM = 'application/x-www-form-urlencoded';
const VALUES: Record<string, string> = { series_type: 'steps', provider: 'google' };

/**
 * Returns a valid body for public routes, which look up the body's values in the database. Other routes look up the
 * credential first.
 */
function bodyOf({ body, bodyType, auth }: RouteDeclaration): string | null {
  if (!body) return null;
  if (bodyType === 'form') return `username=${service.email}&password=${service.password}`;
  return auth === 'public' ? JSON.stringify(PUBLIC_BODY) : '{}';
}

const PUBLIC_BODY = {
  refresh_token: `rt-${'a'.repeat(43)}`,
  code: 'ABCDEFGH',
  token: 'a'.repeat(43),
  password: 'correct horse battery',
  first_name: 'A',
  last_name: 'B',
};
