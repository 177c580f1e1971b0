import { spawn } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startWorld, type World } from './cli-world.js';

const DEMO = resolve(import.meta.dirname, '../../scripts/demo.mjs');
/** Time limit with a backfill. Reading 90 days within the vendor's quota takes more than a minute. */
const WITH_BACKFILL_MS = 300_000;

let world: World;
let temporary: string;

async function open(settings: Record<string, string>): Promise<void> {
  world = await startWorld(settings);
  temporary = join(world.folder, 'tmp');
  await mkdir(temporary);
}

/**
 * Runs the demo against this test's service.
 * @param settings the user's environment settings
 * @param days days of data; default: a year
 * @param interruptAt text at which to press Ctrl-C
 */
function demo(
  settings: Record<string, string>,
  interruptAt?: string,
  days?: number,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: world.home, TMPDIR: temporary, ...settings };
  const child = spawn(process.execPath, [DEMO, ...(days === undefined ? [] : [`${days}`])], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((done, fail) => {
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        text[name] += chunk;
        if (interruptAt && text.stderr.includes(interruptAt)) child.kill('SIGINT');
      });
    }
    child.once('error', fail);
    child.once('close', (code) => done({ code, ...text }));
  });
}

async function userIds(): Promise<string[]> {
  const { stdout } = await world.healthctl(['users', 'list', '--all', '--json', 'id']);
  return JSON.parse(stdout).map(({ id }: { id: string }) => id);
}

async function api(method: string, path: string) {
  const { code, stdout, stderr } = await world.healthctl(['api', method, path]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

async function google() {
  const providers: { provider: string }[] = await api('get', '/oauth/providers');
  return providers.find(({ provider }) => provider === 'google');
}

/** Returns the operator's overrides of all providers' terms. */
async function overrides(): Promise<unknown[]> {
  const { items }: { items: { terms: { override: unknown }[] }[] } = await api('get', '/providers/terms');
  return items.flatMap(({ terms }) => terms.map(({ override }) => override)).filter((override) => override !== null);
}

function port(): string {
  return new URL(world.url).port;
}

describe('with a service on an external database without a sandbox', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const key = Buffer.alloc(32, 7).toString('base64');
    await open({ DATABASE_URL: database.url, SECRET_KEY: key, SIGNING_KEY: key, ENCRYPTION_KEY: key });
  });
  afterAll(async () => {
    await world?.stop();
    await database?.drop();
  });

  test("shows a new user of healthctl's service without leaving files", async () => {
    const { code, stdout, stderr } = await demo({});
    expect(code, stderr).toBe(0);
    expect(stdout.match(/^\d{4}-\d\d-\d\d +[\d,]+ /gm)?.length).toBeGreaterThanOrEqual(13);
    const [user] = await userIds();
    expect(stderr).toContain(`${world.url.replace('127.0.0.1', 'localhost')}/users/${user}`);
    expect(stderr).toContain('SANDBOX=true npm start');
    expect(await readdir(temporary)).toEqual([]);
    expect((await world.healthctl(['doctor'])).code).toBe(0);
    expect(stdout).toMatch(/^strava +cache_days +7 +asks/m);
    expect(stdout).toMatch(/^garmin +attribution +Garmin +acts/m);
    expect(stdout).toMatch(/^strava +research .*Shown by the demo/m);
    expect(await overrides()).toEqual([]);
  });

  test('removes user and file if interrupted during the import', async () => {
    const before = await userIds();
    const { code, stderr } = await demo({ PORT: port() }, 'the run is xml_');
    expect(code, stderr).not.toBe(0);
    expect(stderr).toContain('Deleted Demo');
    expect(await userIds()).toEqual(before);
    expect(await readdir(temporary)).toEqual([]);
  });
});

describe('with a sandbox service', () => {
  beforeAll(async () => open({ SANDBOX: 'true', PORT: String(await freePort()) }));
  afterAll(() => world?.stop());

  test(
    'connects every simulated vendor',
    async () => {
      const { code, stdout, stderr } = await demo({ PORT: port() }, undefined, 30);
      expect(code, stderr).toBe(0);
      const [user] = await userIds();
      const connections: Record<string, string>[] = await api('get', `/users/${user}/connections`);
      const clouds: { provider: string }[] = await api('get', '/oauth/providers?cloud_only=true');
      const connected = connections.filter(({ provider }) => clouds.some((cloud) => cloud.provider === provider));
      expect(connected.map(({ provider }) => provider).toSorted()).toEqual(
        clouds.map(({ provider }) => provider).toSorted(),
      );
      expect(connected.length).toBeGreaterThan(1);
      expect(new Set(connected.map(({ status }) => status))).toEqual(new Set(['active']));
      const connection = connections.find(({ provider }) => provider === 'google')!;
      expect(connection).toMatchObject({ live_sync_mode: 'pull' });
      expect(connection.provider_username).toMatch(/^demo-\d{14}@example\.org$/);
      expect(stderr).toContain(connection.provider_username);

      const runs: { source: string; provider: string; status: string; items_processed: number }[] = await api(
        'get',
        `/users/${user}/sync/runs?limit=200`,
      );
      const backfill = runs.find(({ source, provider }) => source === 'backfill' && provider === 'google');
      expect(backfill?.status).toBe('success');
      expect(backfill?.items_processed).toBeGreaterThan(5_000);
      expect(runs.find(({ source }) => source === 'webhook')?.status).toBe('success');
      const [, before, after] = /Steps of these 20 minutes: (\d+) before, (\d+) now/.exec(stderr) ?? [];
      expect(Number(after)).toBeGreaterThanOrEqual(20 * 180);
      expect(Number(before)).toBeLessThan(Number(after));

      // The provider with the most data for yesterday wins, so the winner varies. The day must show the winner's
      // number.
      const [shown, ...others] = stdout.matchAll(/^steps +([\d,]+) +count +(\w+) .* yes /gm);
      expect(others).toEqual([]);
      const yesterday = new RegExp(`^\\d{4}-\\d\\d-\\d\\d +${shown?.[1]} .* ${shown?.[2]} `, 'm');
      expect(stdout).toMatch(yesterday);
      expect(stdout).toMatch(/^whoop +recovery +\d+ of 100/m);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(200);

      expect(stderr).toContain('Attribution: Garmin; Powered by Strava');
      expect(await overrides()).toEqual([]);

      expect(await google()).toMatchObject({ live_sync_mode: 'pull', is_configured: true });
      expect(stdout.match(/^\d{4}-\d\d-\d\d +[\d,]+ /gm)?.length).toBeGreaterThanOrEqual(13);
      expect(await readdir(temporary)).toEqual([]);
      expect((await world.healthctl(['doctor'])).code).toBe(0);
    },
    WITH_BACKFILL_MS,
  );
});

describe('with a service that fetches no history automatically', () => {
  beforeAll(async () => open({ SANDBOX: 'true', PORT: String(await freePort()), HISTORICAL_SYNC_ON_CONNECT: 'false' }));
  afterAll(() => world?.stop());

  test('deletes the user and restores pull mode if interrupted', async () => {
    // Neither PORT nor HEALTHCTL_URL leads to the service, only API_BASE_URL.
    const named = { API_BASE_URL: world.url, HEALTHCTL_URL: 'http://localhost:1' };
    const { code, stderr } = await demo(named, 'registered at the vendor', 30);
    expect(code, stderr).not.toBe(0);
    expect(stderr).toContain('HISTORICAL_SYNC_ON_CONNECT is false');
    expect(stderr).toContain('Deleted Demo');
    expect(await userIds()).toEqual([]);
    expect(await google()).toMatchObject({ live_sync_mode: 'pull' });
    await expect.poll(google, { interval: 500 }).toMatchObject({ subscriber_state: null });
  });
});
