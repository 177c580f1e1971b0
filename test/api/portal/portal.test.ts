import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, type Call, caller } from '../../support/service.js';
import { type ConnectionFixture, openConnectionFixture } from '../connection-fixture.js';
import { eventually } from '../import-fixture.js';
import { stepsExport } from '../import-xml.js';
import { OPERATIONS, type Operation, REFUSALS, type Shape } from './operations.js';

// Calls the complete service like the compatible API's web portal, with the settings that the portal's operator sets.

const PORTAL = 'https://portal.clinic.example';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

let fixture: ConnectionFixture;
let portal: Call;
let anonymous: Call;
let measuredUser: string;

beforeAll(async () => {
  const settings = { ERROR_FORMAT: 'compat', SERVICE_NAME: 'Open-Wearables', CORS_ORIGINS: PORTAL };
  const env = { ...settings, OAUTH_REDIRECT_ALLOWLIST: `${PORTAL}/users` };
  fixture = await openConnectionFixture({ env, role: 'all' });
  await fixture.vendor.control.addAccount();
  anonymous = caller(fixture.service, { Origin: PORTAL });
  portal = caller(fixture.service, { Origin: PORTAL, Authorization: `Bearer ${(await logIn()).body.access_token}` });
  measuredUser = await newUser();
  const run = (await importFile(measuredUser, EXPORT)).run_id;
  await eventually(async () => expect((await portal('GET', `/api/v1/sync/runs/${run}`)).body.status).toBe('success'));
});
afterAll(() => fixture.close());

const sleep = `<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" value="HKCategoryValueSleepAnalysisAsleepCore"
  creationDate="2026-11-10 07:00:00 +0100" startDate="2026-11-09 23:00:00 +0100" endDate="2026-11-10 06:30:00 +0100"/>`;
const run = `<Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" duration="30" durationUnit="min"
  creationDate="2026-11-10 18:30:00 +0100" startDate="2026-11-10 18:00:00 +0100" endDate="2026-11-10 18:30:00 +0100"/>`;
const EXPORT = stepsExport(5, `${sleep}\n${run}\n`).replaceAll('2026-01-05', '2026-11-10');

function logIn(): Promise<Answered> {
  const { email, password } = fixture.service;
  const form = new URLSearchParams({ username: email, password, grant_type: 'password' });
  return anonymous('POST', '/api/v1/auth/login', form.toString(), FORM);
}

async function newUser(): Promise<string> {
  return (await portal('POST', '/api/v1/users', {})).body.id;
}

async function importFile(user: string, content: string): Promise<{ run_id: string }> {
  return (
    await send(
      { method: 'POST', path: `/api/v1/users/${user}/import/apple/xml/direct`, body: 'file', status: 200 },
      content,
    )
  ).body;
}

async function newInvitation(): Promise<{ id: string; token: string }> {
  return (await portal('POST', '/api/v1/invitations', { email: `${crypto.randomUUID()}@clinic.example` })).body;
}

async function connectedUser(): Promise<string> {
  const user = await newUser();
  await fixture.connect(user);
  return user;
}

/** Completes a consent and returns the parameters of the vendor's redirect URL. */
async function consented(): Promise<URLSearchParams> {
  const { body } = await fixture.authorize(await newUser());
  return new URL(await fixture.consent(body.authorization_url)).searchParams;
}

let way: URLSearchParams;
/** Values for the names in braces. */
const PREPARED: Record<string, () => Promise<string>> = {
  user_id: newUser,
  measured_user_id: async () => measuredUser,
  connected_user_id: connectedUser,
  app_id: async () => (await portal('POST', '/api/v1/applications', { name: 'Tablet' })).body.app_id,
  key_id: async () => (await portal('POST', '/api/v1/developer/api-keys', { name: 'Old' })).body.id,
  invitation_id: async () => (await newInvitation()).id,
  invitation_token: async () => (await newInvitation()).token,
  developer_id: async () => {
    const { token } = await newInvitation();
    const user = { first_name: 'Alan', last_name: 'Turing', password: 'horse battery staple' };
    return (await anonymous('POST', '/api/v1/invitations/accept', { token, ...user })).body.id;
  },
  sleep_id: () => firstEvent('sleep'),
  workout_id: () => firstEvent('workouts'),
  state: async () => {
    way = await consented();
    return way.get('state') ?? '';
  },
  code: async () => way.get('code') ?? '',
  password: async () => fixture.service.password,
};

async function firstEvent(kind: 'sleep' | 'workouts'): Promise<string> {
  const range = 'start_date=2026-11-01&end_date=2026-11-30';
  return (await portal('GET', `/api/v1/users/${measuredUser}/events/${kind}?${range}`)).body.data[0].id;
}

async function filledIn(text: string): Promise<string> {
  let filled = text;
  for (const [whole, name = ''] of text.matchAll(/\{(\w+)\}/g)) {
    const prepare = PREPARED[name];
    if (!prepare) throw new Error(`nothing is prepared for ${whole}`);
    filled = filled.replace(whole, await prepare());
  }
  return filled;
}

async function send(operation: Operation, file = stepsExport(1)): Promise<Answered> {
  const { method, body } = operation;
  if (body === 'form') return logIn();
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(operation.query ?? {})) query.set(name, await filledIn(value));
  const path = `${await filledIn(operation.path)}${operation.query ? `?${query}` : ''}`;
  if (body === 'file' || path.includes('/stream') || path.includes('/callback'))
    return sendOtherwise(path, method, body && file);
  return portal(method, path, body === undefined ? undefined : JSON.parse(await filledIn(JSON.stringify(body))));
}

/** Sends a file, opens a stream or calls an OAuth callback, without following redirects. */
async function sendOtherwise(path: string, method: string, file: unknown): Promise<Answered> {
  const stop = new AbortController();
  const form = new FormData();
  if (typeof file === 'string') form.set('file', new Blob([file]), 'export.xml');
  const { service } = fixture;
  const tokens = await service.accounts.sessions.login({
    email: service.email,
    password: service.password,
    address: undefined,
  });
  service.watch.knowBody(tokens);
  const response = await fetch(`${service.url}${path}`, {
    method,
    body: typeof file === 'string' ? form : null,
    redirect: 'manual',
    signal: stop.signal,
    headers: { Origin: PORTAL, Authorization: `Bearer ${tokens.access_token}` },
  });
  const { status, headers } = response;
  const isJson = headers.get('content-type')?.includes('json');
  const body = isJson ? await response.json() : undefined;
  stop.abort();
  return { status, headers, body };
}

/** Returns the differences between a response and the portal's expected shape. */
function differences(shape: Shape, value: unknown, at = 'answer'): string[] {
  if (shape === 'any') return value === undefined ? [`${at} is missing`] : [];
  if (typeof shape === 'string') {
    const kind = value === null ? 'null' : typeof value;
    return shape.split(' or ').includes(kind) ? [] : [`${at} is ${kind}, not ${shape}`];
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    if (value.length === 0) return [`${at} is empty`];
    return value.flatMap((item, index) => differences(shape[0] as Shape, item, `${at}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [`${at} is no object`];
  const members = value as Record<string, unknown>;
  return Object.entries(shape).flatMap(([name, inner]) => differences(inner, members[name], `${at}.${name}`));
}

const title = ({ method, path, status }: Operation) => `${method} ${path} returns ${status}`;

test('covers 63 operations of the portal', () => {
  expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(63);
});

describe('an operation of the portal', () => {
  test.each(OPERATIONS.map((operation) => [title(operation), operation] as const))('%s', async (_title, operation) => {
    const response = await send(operation);
    expect([response.status, response.status < 400 ? '' : response.body]).toEqual([
      operation.status,
      operation.status < 400 ? '' : expect.anything(),
    ]);
    if (operation.answer !== undefined) expect(differences(operation.answer, response.body)).toEqual([]);
    if (operation.status !== 303) expect(response.headers.get('access-control-allow-origin')).toBe(PORTAL);
  });
});

describe('a mistake in the portal', () => {
  test.each(REFUSALS.map((operation) => [title(operation), operation] as const))('%s', async (_title, operation) => {
    // The portal has logged out.
    portal = caller(fixture.service, { Origin: PORTAL, [fixture.service.apiKeyHeader]: fixture.service.apiKey });
    const response = await send(operation);
    expect([response.status, typeof response.body.detail]).toEqual([operation.status, 'string']);
  });

  test.each(['/api/v1/auth/me', '/api/v1/users', '/api/v1/oauth/google/authorize'])(
    'returns 401 for %s without a login',
    async (path) => {
      expect((await anonymous('GET', path)).status).toBe(401);
    },
  );
});
