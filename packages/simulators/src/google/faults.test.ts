import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConsentedClient, exchange } from './consented-client.js';
import type { Fault } from './fault-types.js';
import {
  exercisePointSchema,
  pointPageSchema,
  pointsSchema,
  sleepPointSchema,
  stepsPointSchema,
} from './response-schemas.js';
import type { GoogleSimulator } from './simulator.js';
import { startGoogleSimulator } from './start.js';

const STEPS = 'dataTypes/steps/dataPoints';
let simulator: GoogleSimulator;
let client: ConsentedClient;
beforeAll(async () => {
  simulator = await startGoogleSimulator({ autoConsent: true, now: '2026-04-03T00:00:00Z' });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.addAccount({ id: 'anna' });
  client = await ConsentedClient.connect(simulator, 'anna');
  const at = (minute: number) => `2026-04-02T08:0${minute}:00Z`;
  await simulator.control.addPoints(
    'anna',
    [0, 1, 2].map((n) => ({ dataType: 'steps', startTime: at(n), endTime: at(n + 1), value: 60 + n })),
  );
});

const fault = (planned: Fault) => simulator.control.addFault(planned);

test('fires a fault the planned number of times', async () => {
  await fault({ kind: 'error', status: 500, times: 2 });
  const statuses: number[] = [];
  for (let n = 0; n < 3; n++) statuses.push((await client.get(STEPS)).status);
  expect(statuses).toEqual([500, 500, 200]);
  expect((await simulator.control.faults())[0]!.fired).toBe(2);
});

test('applies a fault only to matching requests', async () => {
  await fault({ kind: 'error', status: 503, times: null, match: { dataType: 'steps', operation: 'reconcile' } });
  expect((await client.get(STEPS)).status).toBe(200);
  expect((await client.get('dataTypes/distance/dataPoints:reconcile')).status).toBe(200);
  expect((await client.get(`${STEPS}:reconcile`)).status).toBe(503);
});

test('sends 429 with all forms of Retry-After', async () => {
  await fault({ kind: 'rate_limited' });
  await fault({ kind: 'rate_limited', retryAfterSeconds: 7 });
  await fault({ kind: 'rate_limited', retryAfterSeconds: 7, retryAfterForm: 'date' });
  const bare = await client.get(STEPS);
  expect(bare).toMatchObject({ status: 429, body: { error: { status: 'RESOURCE_EXHAUSTED' } } });
  expect(bare.headers.get('retry-after')).toBeNull();
  expect((await client.get(STEPS)).headers.get('retry-after')).toBe('7');
  expect((await client.get(STEPS)).headers.get('retry-after')).toMatch(/^Fri, 03 Apr 2026 00:00:\d\d GMT$/);
});

test('returns an HTML page for a 502', async () => {
  await fault({ kind: 'bad_gateway' });
  const page = await client.get(STEPS);
  expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html; charset=UTF-8']);
});

test('keeps tokens after a 401', async () => {
  await fault({ kind: 'unauthorized' });
  expect((await client.get(STEPS)).status).toBe(401);
  expect((await client.get(STEPS)).status).toBe(200);
});

test('truncates, delays or drops responses', async () => {
  const url = `${simulator.urls.api}/v4/users/me/${STEPS}`;
  const headers = { authorization: `Bearer ${client.tokens.access_token}` };
  await fault({ kind: 'truncated' });
  const cut = await (await fetch(url, { headers })).text();
  expect(cut).toMatch(/^\{"dataPoints/);
  expect(() => JSON.parse(cut)).toThrow();
  await fault({ kind: 'slow', delayMs: 150 });
  const startMs = performance.now();
  const late = await (await fetch(url, { headers })).json();
  expect(performance.now() - startMs).toBeGreaterThan(140);
  expect(late).toEqual((await client.get(STEPS)).body);
  await fault({ kind: 'dropped', times: null });
  await expect(fetch(url, { headers })).rejects.toThrow();
});

test('returns an empty page with a token for the omitted page', async () => {
  await fault({ kind: 'empty_page', times: 2 });
  const pages = await client.pages(STEPS, { pageSize: '2' });
  expect(pages.map(({ length }) => length)).toEqual([0, 0, 2, 1]);
});

test('returns the same page for a repeated token', async () => {
  await fault({ kind: 'repeated_token', times: 2 });
  const first = await client.get(STEPS, { pageSize: '2' });
  const pageToken = first.as(pointPageSchema).nextPageToken!;
  const second = await client.get(STEPS, { pageSize: '2', pageToken });
  expect(second.body).toEqual(first.body);
});

test('adds unknown members', async () => {
  await fault({ kind: 'unknown_members' });
  const strange = (await client.get(STEPS)).as(pointsSchema(stepsPointSchema));
  expect(strange.memberOfTomorrow).toBeDefined();
  expect(strange.dataPoints[0]!.dataSource!.platform).toBe('PLATFORM_OF_TOMORROW');
  expect(strange.dataPoints[0]!.steps.count).toBe('62');
});

test('drops offsets or civil times', async () => {
  const read = async () => (await client.get(STEPS)).as(pointsSchema(stepsPointSchema));
  await fault({ kind: 'missing_offsets' });
  expect(Object.keys((await read()).dataPoints[0]!.steps.interval)).toEqual([
    'startTime',
    'endTime',
    'civilStartTime',
    'civilEndTime',
  ]);
  await fault({ kind: 'missing_civil_times' });
  expect(Object.keys((await read()).dataPoints[0]!.steps.interval)).toEqual([
    'startTime',
    'startUtcOffset',
    'endTime',
    'endUtcOffset',
  ]);
});

const NIGHT = { startTime: '2026-04-01T22:00:00Z', endTime: '2026-04-02T05:00:00Z' };

test('repeats stage summaries', async () => {
  const stagesSummary = [{ type: 'DEEP', minutes: 60, count: 2 }];
  await simulator.control.addPoints('anna', [{ dataType: 'sleep', ...NIGHT, value: { summary: { stagesSummary } } }]);
  await fault({ kind: 'duplicate_stages_summary' });
  const nights = await client.get('dataTypes/sleep/dataPoints:reconcile');
  const { sleep } = nights.as(pointsSchema(sleepPointSchema)).dataPoints[0]!;
  const entry = { type: 'DEEP', minutes: '60', count: '2' };
  expect(sleep.summary.stagesSummary).toEqual([entry, entry]);
});

test('misspells a distance', async () => {
  const value = { exerciseType: 'RUNNING', metricsSummary: { distanceMillimeters: 5 } };
  await simulator.control.addPoints('anna', [{ dataType: 'exercise', ...NIGHT, value }]);
  await fault({ kind: 'misspelt_distance' });
  const runs = await client.get('dataTypes/exercise/dataPoints');
  const { exercise } = runs.as(pointsSchema(exercisePointSchema)).dataPoints[0]!;
  expect(exercise.metricsSummary).toEqual({ distanceMillimiters: 5 });
});

test('rejects one request to the token endpoint', async () => {
  await fault({ kind: 'oauth_error', error: 'invalid_client', match: { role: 'token' } });
  const { refresh_token } = client.tokens;
  const refresh = () => exchange(simulator, { grant_type: 'refresh_token', refresh_token });
  expect(await refresh()).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  expect((await refresh()).status).toBe(200);
});

test('repeats random faults for the same seed', async () => {
  const run = async (seed: number) => {
    await simulator.control.clearFaults();
    await fault({ kind: 'error', status: 500, times: null, probability: 0.4, seed });
    const statuses: number[] = [];
    for (let n = 0; n < 20; n++) statuses.push((await client.get(STEPS)).status);
    return statuses;
  };
  const first = await run(7);
  expect(new Set(first)).toEqual(new Set([200, 500]));
  expect(await run(7)).toEqual(first);
  expect(await run(8)).not.toEqual(first);
});
