import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMPLE_QUOTA, ampleVendorSettings } from '../support/simulated-vendor.js';
import { jsonLines } from './cli-responses.js';
import { startWorld, type World } from './cli-world.js';

let vendor: GoogleSimulator;
let world: World;
let user: string;
beforeAll(async () => {
  vendor = await startGoogleSimulator({ autoConsent: true, quota: AMPLE_QUOTA });
  world = await startWorld({ ...ampleVendorSettings(vendor), HISTORICAL_SYNC_ON_CONNECT: 'false' });
  await vendor.control.addAccount({ id: 'ada' });
  await vendor.control.seedHistory('ada', { days: 6, dataTypes: ['steps', 'weight'] });
  user = JSON.parse((await world.healthctl(['users', 'create'])).stdout).id;
});
afterAll(async () => {
  await world.stop();
  await vendor.close();
});

const healthctl = (...args: string[]) => world.healthctl([...args, '--user', user]);
test('sync run --provider fails without a connection to the provider', async () => {
  const ended = await healthctl('sync', 'run', '--provider', 'google');
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stderr)).toMatchObject({ code: 'not_found', message: 'User not connected to google' });
});

test('sync run reports the result of the followed run', async () => {
  const started = await healthctl('connections', 'connect', 'google');
  const page = await fetch(JSON.parse(started.stdout).authorization_url, { redirect: 'manual' });
  const back = new URL(page.headers.get('location') ?? '');
  expect((await fetch(`${world.url}${back.pathname}${back.search}`, { redirect: 'manual' })).status).toBe(303);

  const ended = await healthctl('sync', 'run', '--provider', 'google');
  expect(ended.code, ended.stderr).toBe(0);
  const events = jsonLines(ended.stdout);
  expect(events[0]).toMatchObject({ event: 'accepted', run_id: expect.stringMatching(/^pull_/) });
  expect(events.filter(({ event }) => event === 'result')).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ event: 'result', source: 'pull', status: 'success' });
});

test('sync run and why accept the user as argument or option', async () => {
  for (const line of [
    ['sync', 'run', user],
    ['sync', 'run', '--user', user],
    ['sync', 'historical', user, '--days', '1'],
  ]) {
    const ended = await world.healthctl(line);
    expect(ended.code, ended.stderr).toBe(0);
    expect(jsonLines(ended.stdout).at(-1)).toMatchObject({ event: 'result', provider: 'google', status: 'success' });
  }
  const [asArgument, asOption] = await Promise.all([
    world.healthctl(['why', user, '--json', 'provider,cause']),
    world.healthctl(['why', '--user', user, '--json', 'provider,cause']),
  ]);
  expect(JSON.parse(asOption.stdout)).toEqual(JSON.parse(asArgument.stdout));
  const two = await world.healthctl(['why', user, '--user', '00000000-0000-4000-8000-000000000001']);
  expect([two.code, JSON.parse(two.stderr).code]).toEqual([2, 'usage']);
});

test('sync run without --provider fails if the user has no connection', async () => {
  const stranger = JSON.parse((await world.healthctl(['users', 'create'])).stdout).id;
  const ended = await world.healthctl(['sync', 'run', stranger]);
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stderr)).toMatchObject({
    code: 'not_found',
    message: 'The user has no connection to a vendor’s cloud.',
  });
});

test.each([
  [['sync', 'run'], 'Missing argument <user>, and --provider if the user has several connections.'],
  [['sync', 'backfill', 'status'], "Missing '-u, --user <id>' and '-p, --provider <name>'"],
  [['sync', 'backfill', 'retry'], "Missing <type> and '-u, --user <id>' and '-p, --provider <name>'"],
])('%j reports all missing arguments together', async (line, message) => {
  const ended = await world.healthctl(line);
  expect(ended.code).toBe(2);
  expect(JSON.parse(ended.stderr)).toMatchObject({ code: 'usage', message });
});

test('sync historical starts a backfill that other commands show', async () => {
  const ended = await healthctl('sync', 'historical', '--provider', 'google', '--days', '4');
  expect(ended.code, ended.stderr).toBe(0);
  const result = jsonLines(ended.stdout).at(-1);
  expect(result).toMatchObject({ source: 'backfill', status: 'success', metadata: { days: 4 } });
  expect(result.metadata.data_types.steps.inserted).toBeGreaterThan(0);
  const listed = JSON.parse((await healthctl('sync', 'status')).stdout);
  expect(listed.map(({ source }: { source: string }) => source)).toContain('backfill');
  const shown = await world.onTerminal(['runs', 'watch', result.run_id, '--color', 'off']);
  expect(shown.stdout).toMatch(/steps +[\d,]+ new, 0 changed, 0 removed/);
});

test('sync run exits with 3 if a data type fails', async () => {
  await vendor.control.addFault({ kind: 'error', status: 400, match: { dataType: 'weight' }, times: null });
  const ended = await healthctl('sync', 'run', '--provider', 'google');
  await vendor.control.clearFaults();
  expect(ended.code).toBe(3);
  const { run_id: runId, metadata } = jsonLines(ended.stdout).at(-1);
  expect(metadata.data_types.weight).toMatchObject({ status: 'failed' });
  const shown = await world.onTerminal(['runs', 'show', runId, '--color', 'off']);
  expect(shown.stdout).toMatch(new RegExp(`^User +${user}`, 'm'));
  expect(shown.stdout).toMatch(/^Provider +Google Health \(google\)/m);
  expect(shown.stdout).toMatch(/^Ended +\d/m);
  expect(shown.stdout).toContain(`healthctl runs retry ${runId}`);
});

test("runs list shows each user's ID prefix on a terminal", async () => {
  const listed = await world.onTerminal(['runs', 'list', '--color', 'off']);
  expect(listed.stdout).toMatch(new RegExp(`^\\S+ +${user.slice(0, 8)} +google`, 'm'));
});

test("shows a waiting run's cause and next attempt in several commands", async () => {
  await vendor.control.addFault({
    kind: 'rate_limited',
    retryAfterSeconds: 600,
    retryAfterForm: 'seconds',
    match: { dataType: 'steps' },
    times: null,
  });
  const started = await healthctl('sync', 'run', '--provider', 'google', '--no-wait');
  const { run_id: runId } = jsonLines(started.stdout)[0];
  const waiting = async () => JSON.parse((await healthctl('runs', 'list', '--retrying')).stdout);
  await expect.poll(waiting, { interval: 500 }).toMatchObject([
    {
      run_id: runId,
      status: 'in_progress',
      retrying: { reason: expect.stringMatching(/^rate_limited 429/), attempt: 2, max_attempts: 25 },
    },
  ]);
  const shown = await world.onTerminal(['runs', 'show', runId, '--color', 'off']);
  expect(shown.stdout).toMatch(/Status +retrying: attempt 2 of 25, next .*\d\d:\d\d \(in (9|10) min/);
  expect(shown.stdout).toMatch(/Cause +The vendor's rate limit is reached\. \(rate_limited 429 RATE_LIMIT_EXCEEDED\)/);
  const [connection] = JSON.parse((await healthctl('connections', 'list')).stdout);
  expect(connection).toMatchObject({
    last_error: "The vendor's rate limit is reached.",
    failing_since: expect.any(String),
    next_try_at: (await waiting())[0].retrying.next_try_at,
  });
  const doctor = await world.healthctl(['doctor']);
  expect(doctor.code).toBe(0);
  const runs = JSON.parse(doctor.stdout).find(({ check }: { check: string }) => check === 'runs');
  expect(runs).toMatchObject({ state: 'warning', advice: 'healthctl runs list --retrying' });
  expect(runs.found).toContain(runId);
  await vendor.control.clearFaults();
});

test('doctor names the remedy of a failed run until data arrives', async () => {
  const other = JSON.parse((await world.healthctl(['users', 'create'])).stdout).id;
  const runsCheck = async () => {
    const { code, stdout } = await world.healthctl(['doctor']);
    const found = JSON.parse(stdout).find(({ check }: { check: string }) => check === 'runs');
    return { ...found, code };
  };
  expect(await runsCheck()).toMatchObject({ code: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'healthctl-doctor-'));
  await writeFile(join(folder, 'no-export.xml'), '<nothing/>');
  const failed = await world.healthctl(['import', join(folder, 'no-export.xml'), '--user', other]);
  expect(failed.code).toBe(1);
  const { run_id: runId } = jsonLines(failed.stdout).at(-1);
  const found = await runsCheck();
  expect(found).toMatchObject({ code: 1, state: 'failed', advice: `healthctl runs retry ${runId}` });
  const listed = JSON.parse((await world.healthctl(['runs', 'list', '--unresolved'])).stdout);
  expect(listed).toMatchObject([{ run_id: runId, status: 'failed' }]);

  await writeFile(join(folder, 'export.xml'), '<?xml version="1.0"?><HealthData></HealthData>');
  expect((await world.healthctl(['import', join(folder, 'export.xml'), '--user', other])).code).toBe(0);
  await rm(folder, { recursive: true });
  expect((await runsCheck()).state).not.toBe('failed');
});

test('doctor reports vendor mode and quota without a permanent warning', async () => {
  const { stdout } = await world.healthctl(['doctor']);
  const findings: { check: string; state: string; found: string }[] = JSON.parse(stdout);
  expect(findings).toContainEqual(expect.objectContaining({ check: 'provider', found: 'google is polled' }));
  const rest = ['versions', 'db clock', 'room', 'job lag', 'secrets', 'API keys', 'consents', 'webhooks'];
  for (const check of ['credentials', 'quota', 'lookback', ...rest]) {
    expect(findings).toContainEqual(expect.objectContaining({ check, state: 'ok' }));
  }
});

test('suggests a new link, not a retry, after a revoked consent', async () => {
  const [{ run_id: runId }] = JSON.parse((await healthctl('runs', 'list', '--status', 'partial')).stdout);
  expect((await healthctl('connections', 'disconnect', 'google')).code).toBe(0);
  const shown = await world.onTerminal(['runs', 'show', runId, '--color', 'off']);
  expect(shown.stdout).toContain(`healthctl connect-links create --user ${user} --providers google`);
  expect(shown.stdout).not.toContain('runs retry');
});
