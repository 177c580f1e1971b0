import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, realpath, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deleteWorkout, getDigest, listChanges, listUsers, listWorkouts } from '@healthd/contract';
import { HealthdClient } from '@healthd/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payload, reading, WATCH } from '../api/push-payloads.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { compileInFolder, publishedClientFolder } from '../support/published-client.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

const run = promisify(execFile);
const README = readFileSync(resolve(import.meta.dirname, '../../packages/client/README.md'), 'utf8');
/** Returns an example of the README by its name. */
const example = (name: string) => new RegExp(`^\`\`\`ts ${name}\\n(.*?)^\`\`\``, 'ms').exec(README)?.[1] ?? '';

let service: WholeService;
let database: TestDatabase;
let folder: string;
let env: NodeJS.ProcessEnv;
let client: HealthdClient;

beforeAll(async () => {
  service = await startWholeService({}, 'all');
  database = await createTestDatabase();
  folder = await publishedClientFolder();
  await installPg();
  env = {
    PATH: process.env.PATH,
    HOME: folder,
    HEALTHD_URL: service.url,
    HEALTHD_API_KEY: service.apiKey,
    COPY_DATABASE_URL: database.url,
  };
  client = new HealthdClient({
    baseUrl: service.url,
    authorize: async () => ({ [service.apiKeyHeader]: service.apiKey }),
  });
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Adds the installed pg with its dependencies and types, because an offline npm cannot download them. */
async function installPg(): Promise<void> {
  const { resolve: find } = createRequire(import.meta.url);
  const modules = join(folder, 'node_modules');
  await symlink(await realpath(dirname(find('pg/package.json'))), join(modules, 'pg'));
  await run('mkdir', ['-p', join(modules, '@types')]);
  await symlink(await realpath(dirname(find('@types/pg/package.json'))), join(modules, '@types/pg'));
}

/** Compiles an example of the README and returns the program. */
async function compiled(name: string): Promise<string> {
  expect(await compileInFolder(folder, name, example(name))).toBe('');
  return join(folder, name, 'program.js');
}

async function push(userId: string, data: Parameters<typeof payload>[1]): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/sdk/users/${userId}/sync`, {
    method: 'POST',
    headers: { [service.apiKeyHeader]: service.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(payload('apple', data)),
  });
  expect(response.status).toBe(202);
}

test('has no dependency except an optional pg', async () => {
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules/@healthd/client/package.json'), 'utf8'));
  expect(Object.keys(manifest).filter((name) => /ependencies|private|scripts/.test(name))).toEqual([
    'peerDependencies',
    'peerDependenciesMeta',
  ]);
  expect(JSON.stringify(manifest)).not.toContain('workspace:');
  expect(manifest.peerDependenciesMeta).toEqual({ pg: { optional: true } });
});

test("prints days with the README's API example", async () => {
  const { stdout } = await run(process.execPath, [await compiled('call')], { env });
  expect(stdout).toBe('0 days\n');
});

describe('a receiver of the installed package', () => {
  let receiver: ChildProcess;
  /** User of the example that calls the API. */
  let caller = '';
  let anna: string;
  let ben: string;
  let verifier: string;
  let receiverOutput = '';

  async function startReceiver(program: string): Promise<void> {
    receiver = spawn(process.execPath, [program], { env, cwd: folder, stdio: ['ignore', 'inherit', 'pipe'] });
    receiver.stderr?.setEncoding('utf8').on('data', (text: string) => {
      receiverOutput += text;
    });
  }

  async function stopReceiver(signal: NodeJS.Signals): Promise<void> {
    const ended = once(receiver, 'exit');
    receiver.kill(signal);
    await ended;
  }

  async function createUser(name: string): Promise<string> {
    const body = JSON.stringify({ first_name: name });
    const headers = { [service.apiKeyHeader]: service.apiKey, 'Content-Type': 'application/json' };
    const response = await fetch(`${service.url}/api/v1/users`, { method: 'POST', headers, body });
    return ((await response.json()) as { id: string }).id;
  }

  /** Returns the sorted output of the README's program that verifies the copy. Omits the caller if equal. */
  const verify = async () => {
    const { stdout } = await run(process.execPath, [verifier], { env });
    const lines = stdout.trimEnd().split('\n');
    return lines.filter((line) => !line.startsWith(`${caller}: equal`)).sort();
  };

  /** Waits until the verification reports the copy of each of these users as equal. */
  async function expectEqual(...users: string[]): Promise<void> {
    await expect.poll(verify, { timeout: 20_000, interval: 500 }).toEqual(users.map((user) => `${user}: equal`).sort());
  }

  async function positionOf(userId: string): Promise<number> {
    const query = { from: '2026-11-01', to: '2026-11-01' };
    return (await client.call(getDigest, { params: { user_id: userId }, query })).position;
  }

  beforeAll(async () => {
    verifier = await compiled('verify');
    caller = (await client.call(listUsers, {})).items[0]?.id ?? '';
    anna = await createUser('Anna');
    await push(anna, {
      records: [
        reading('HKQuantityTypeIdentifierHeartRate', '2026-11-01T06:00:00Z', 61, 'count/min', { source: WATCH }),
        reading('HKQuantityTypeIdentifierHeartRate', '2026-11-02T06:00:00Z', 62, 'count/min', { source: WATCH }),
      ],
      workouts: [workout('w1', '2026-11-01T08:00:00Z'), workout('w2', '2026-11-03T08:00:00Z')],
    });
    while ((await positionOf(anna)) === 0) await sleep(100);
    await startReceiver(await compiled('copy'));
  });

  test("copies the service's data", async () => {
    await expectEqual(anna);
    const { rows } = await database.pool.query('select count(*)::int as n from healthd.samples');
    expect(rows).toEqual([{ n: 2 }]);
  });

  test('follows pushes, corrections and deletions', async () => {
    const before = await positionOf(anna);
    ben = await createUser('Ben');
    await push(ben, { records: [reading('HKQuantityTypeIdentifierStepCount', '2026-11-05T06:00:00Z', 9, 'count')] });
    await push(anna, {
      records: [
        reading('HKQuantityTypeIdentifierHeartRate', '2026-11-01T06:00:00Z', 71, 'count/min', { source: WATCH }),
      ],
      deleted: [{ id: 'HKQuantityTypeIdentifierHeartRate 2026-11-02T06:00:00Z' }],
    });
    const { data } = await client.call(listWorkouts, {
      params: { user_id: anna },
      query: { start_date: '2026-11-01', end_date: '2026-11-30' },
    });
    const [first] = data;
    await client.call(deleteWorkout, { params: { user_id: anna, workout_id: first?.id ?? '' } });
    await expect.poll(() => positionOf(anna)).toBeGreaterThan(before + 2);
    await expectEqual(anna, ben);
    const { rows } = await database.pool.query(
      'select value from healthd.samples where user_id = $1 order by start_at',
      [anna],
    );
    expect(rows).toEqual([{ value: 71 }]);
    expect((await database.pool.query('select from healthd.workouts')).rowCount).toBe(1);
  });

  test('deletes the copy of an erased user', async () => {
    await deleteAsDeveloper(ben);
    await expectEqual(anna);
    expect((await database.pool.query('select from healthd.samples where user_id = $1', [ben])).rowCount).toBe(0);
  });

  test('continues where a killed receiver ended', async () => {
    await stopReceiver('SIGKILL');
    await push(anna, { workouts: [workout('w3', '2026-11-04T08:00:00Z')] });
    await startReceiver(join(folder, 'copy/program.js'));
    await expect
      .poll(async () => (await database.pool.query('select from healthd.workouts')).rowCount, { interval: 200 })
      .toBe(2);
    await expectEqual(anna);
  });

  test('finds a row that was changed in the copy', async () => {
    await database.pool.query('update healthd.samples set value = value + 1 where user_id = $1', [anna]);
    expect(await verify()).toEqual(['  2026-11-01 heart_rate apple: different', `${anna}: different`]);
  });

  test('copies everything again if its cursor is no longer valid', async () => {
    await stopReceiver('SIGTERM');
    expect(receiver.exitCode).toBe(0);
    const lost = Buffer.from(`o0.${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`).toString('base64url');
    await database.pool.query('update healthd.state set cursor = $1', [lost]);
    await startReceiver(join(folder, 'copy/program.js'));
    await expectEqual(anna);
    expect(receiverOutput).toBe('');
    await stopReceiver('SIGTERM');
  });

  test('prints every change with the feed example', async () => {
    const program = await compiled('follow');
    const { stdout } = await run(process.execPath, [program], { env, cwd: folder });
    const { items } = await client.call(listChanges, { query: { limit: 1000 } });
    expect(stdout.trimEnd().split('\n')).toHaveLength(items.length);
    const again = await run(process.execPath, [program], { env, cwd: folder });
    expect(again.stdout).toBe('');
  });
});

/** Deletes a user as a developer, because only a developer can erase users. */
async function deleteAsDeveloper(userId: string): Promise<void> {
  const body = new URLSearchParams({ username: service.email, password: service.password });
  const login = await fetch(`${service.url}/api/v1/auth/login`, { method: 'POST', body });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const headers = { Authorization: `Bearer ${token}` };
  const { status } = await fetch(`${service.url}/api/v1/users/${userId}`, { method: 'DELETE', headers });
  expect(status).toBe(200);
}

function workout(id: string, start: string): object {
  const end = new Date(Date.parse(start) + 1_800_000).toISOString();
  return {
    id,
    type: 'HKWorkoutActivityTypeRunning',
    startDate: start,
    endDate: end,
    zoneOffset: '+01:00',
    source: WATCH,
  };
}

test('imports no other packages in the packed client', async () => {
  for (const name of ['index', 'node', 'postgres']) {
    const code = await readFile(join(folder, `node_modules/@healthd/client/bundle/${name}.js`), 'utf8');
    const imports = [...code.matchAll(/^(?:import|export)\b.*?from ["'](.*?)["']/gm)].map(([, from = '']) => from);
    expect(imports.filter((from) => !from.startsWith('./') && !from.startsWith('node:'))).toEqual([]);
    if (name !== 'node') expect(imports.filter((from) => from.startsWith('node:'))).toEqual([]);
  }
});
