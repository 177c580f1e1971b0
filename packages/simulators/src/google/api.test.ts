import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiFailureSchema, pairedDevicesSchema, pointsSchema, stepsPointSchema } from './response-schemas.js';
import { ConsentedClient, jsonResponse } from './consented-client.js';
import type { GoogleSimulator } from './simulator.js';
import { startGoogleSimulator } from './start.js';

let simulator: GoogleSimulator;
beforeAll(async () => {
  simulator = await startGoogleSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.control.reset());

const STEPS = 'dataTypes/steps/dataPoints';
const SCOPE = 'https://www.googleapis.com/auth/googlehealth.';

async function connected(scope?: string): Promise<ConsentedClient> {
  await simulator.control.addAccount({ id: 'anna' });
  return ConsentedClient.connect(simulator, 'anna', scope);
}

test('returns the user ID that resource URLs use', async () => {
  const client = await connected();
  const { healthUserId } = (await simulator.control.accounts())[0]!;
  expect((await client.get('identity')).body).toMatchObject({ name: 'users/me/identity', healthUserId });
  const url = `${simulator.urls.api}/v4/users/${healthUserId}/identity`;
  const headers = { authorization: `Bearer ${client.tokens.access_token}` };
  expect((await fetch(url, { headers })).status).toBe(200);
  expect((await fetch(url.replace(healthUserId, '1'), { headers })).status).toBe(403);
});

test('requires the right scope for identity and settings', async () => {
  const nutrition = await connected(`${SCOPE}nutrition.readonly`);
  expect((await nutrition.get('identity')).status).toBe(403);
  const location = await ConsentedClient.connect(simulator, 'anna', `${SCOPE}location.readonly`);
  expect((await location.get('identity')).status).toBe(200);
  const settings = await ConsentedClient.connect(simulator, 'anna', `${SCOPE}settings.readonly`);
  expect((await settings.get('identity')).status).toBe(200);
  expect((await settings.get('settings')).body).toMatchObject({ timeZone: 'Europe/Berlin' });
  expect((await settings.get('pairedDevices')).as(pairedDevicesSchema).pairedDevices).toHaveLength(1);
  expect((await settings.get('profile')).status).toBe(403);
});

test('rejects a type without its scope with 403', async () => {
  const client = await connected(`${SCOPE}sleep.readonly`);
  const rejection = await client.get(STEPS);
  expect(rejection).toMatchObject({ status: 403, body: { error: { code: 403, status: 'PERMISSION_DENIED' } } });
  expect(rejection.reason).toBe('ACCESS_TOKEN_SCOPE_INSUFFICIENT');
  expect((await client.get('dataTypes/sleep/dataPoints')).status).toBe(200);
});

test('rejects a missing or expired token with 401', async () => {
  const none = await jsonResponse(await fetch(`${simulator.urls.api}/v4/users/me/identity`));
  expect(none).toMatchObject({ status: 401, body: { error: { status: 'UNAUTHENTICATED' } } });
  expect(none.reason).toBe('CREDENTIALS_MISSING');
  const client = await connected();
  await simulator.control.expireAccessTokens('anna');
  const dead = await client.get(STEPS);
  expect(dead.status).toBe(401);
  expect(dead.as(apiFailureSchema).error.details).toBeUndefined();
});

test.each([
  ['not_linked', 400, 'FAILED_PRECONDITION', 'ACCOUNT_NOT_LINKED'],
  ['legacy', 403, 'PERMISSION_DENIED', undefined],
  ['no_profile', 412, 'FAILED_PRECONDITION', undefined],
] as const)('rejects reads of a signed-in account that is %s with %i', async (state, code, status, reason) => {
  const client = await connected();
  await simulator.control.updateAccount('anna', { state });
  for (const path of ['identity', STEPS]) {
    const response = await client.get(path);
    expect(response.body).toMatchObject({ error: { code, status } });
    expect(response.reason).toBe(reason);
  }
  await simulator.control.updateAccount('anna', { state: 'linked' });
  expect((await client.get('identity')).status).toBe(200);
});

test('returns an HTML page for unknown paths and verbs', async () => {
  const client = await connected();
  for (const path of ['nothing', `${STEPS}:rollup`, `${STEPS}:rollUp`]) {
    const { status, headers } = await client.get(path);
    expect(status).toBe(404);
    expect(headers.get('content-type')).toContain('text/html');
  }
  expect((await client.post(STEPS, {})).status).toBe(404);
});

test('rejects an unknown data type as a parent collection', async () => {
  const client = await connected();
  const reason = async (type: string) => (await client.get(`dataTypes/${type}/dataPoints`)).reason;
  expect(await reason('pulse')).toBe('INVALID_PARENT_DATA_TYPE_COLLECTION');
  expect(await reason('heartRate')).toBe('INVALID_PARENT_DATA_TYPE_COLLECTION_FORMAT');
});

test('returns floors only in the reconciled stream', async () => {
  const client = await connected();
  expect((await client.get('dataTypes/floors/dataPoints')).status).toBe(400);
  expect((await client.get('dataTypes/floors/dataPoints:reconcile')).status).toBe(200);
});

test('limits a user to 300 requests per minute', async () => {
  const client = await connected();
  await simulator.control.addAccount({ id: 'ben' });
  const ben = await ConsentedClient.connect(simulator, 'ben');
  const statuses = new Map<number, number>();
  for (let n = 0; n < 301; n++) {
    const { status } = await client.get(STEPS);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(statuses)).toEqual({ 200: 300, 429: 1 });
  expect((await ben.get(STEPS)).status).toBe(200);
  expect(await simulator.control.peakPerMinute()).toEqual({ anna: 301, ben: 1 });
  expect(await simulator.control.requestCounts()).toEqual({ anna: { steps: 301 }, ben: { steps: 1 } });
  await simulator.control.advanceClock(61);
  expect((await client.get(STEPS)).status).toBe(200);
});

test('logs account and data type of requests, but no tokens', async () => {
  const client = await connected();
  await client.get(STEPS, { filter: 'steps.interval.start_time >= "2026-04-02T00:00:00Z"' });
  const [record] = await simulator.control.requests({ operation: 'list' });
  expect(record).toMatchObject({ role: 'api', account: 'anna', dataType: 'steps', status: 200, method: 'GET' });
  expect(record!.query.filter).toContain('start_time');
  const all = JSON.stringify(await simulator.control.requests());
  expect(all).not.toContain(client.tokens.access_token);
  expect(all).not.toContain(client.tokens.refresh_token);
});

test('does not consume a fault if the quota rejects the request', async () => {
  const client = await connected();
  await simulator.control.addFault({ kind: 'error', status: 500, times: 301 });
  for (let n = 0; n < 302; n++) await client.get(STEPS);
  expect((await simulator.control.faults())[0]!.fired).toBe(300);
});

test('returns only the fields that `fields` selects', async () => {
  const client = await connected();
  const times = { startTime: '2026-04-02T08:00:00Z', endTime: '2026-04-02T08:01:00Z' };
  await simulator.control.addPoints('anna', [{ dataType: 'steps', ...times, value: 60 }]);
  const part = async (fields: string) => (await client.get(STEPS, { fields })).body;
  expect(await part('nextPageToken,dataPoints(steps/count)')).toEqual({ dataPoints: [{ steps: { count: '60' } }] });
  expect(await part('dataPoints/steps(count,interval/startTime)')).toEqual({
    dataPoints: [{ steps: { count: '60', interval: { startTime: '2026-04-02T08:00:00Z' } } }],
  });
  expect((await client.get(STEPS, { fields: 'dataPoints(' })).status).toBe(400);
});

test('applies the project quota to all users together', async () => {
  const small = await startGoogleSimulator({ autoConsent: true, quota: { perProject: 2 } });
  const clients: ConsentedClient[] = [];
  for (const id of ['anna', 'ben', 'cleo']) {
    await small.control.addAccount({ id });
    clients.push(await ConsentedClient.connect(small, id));
  }
  const statuses: number[] = [];
  for (const client of clients) statuses.push((await client.get('identity')).status);
  expect(statuses).toEqual([200, 200, 429]);
  await small.close();
});

test('lets a write-only token read only its own client’s points', async () => {
  const client = await connected(`${SCOPE}activity_and_fitness.writeonly`);
  const point = (minute: number) => ({
    dataType: 'steps',
    startTime: `2026-04-02T08:0${minute}:00Z`,
    endTime: `2026-04-02T08:0${minute + 1}:00Z`,
    value: 60 + minute,
  });
  const own = { application: { googleWebClientId: simulator.client.id } };
  await simulator.control.addPoints('anna', [point(0), { ...point(1), source: own }]);
  const { dataPoints } = (await client.get(STEPS)).as(pointsSchema(stepsPointSchema));
  expect(dataPoints.map(({ steps }) => steps.count)).toEqual(['61']);
});
