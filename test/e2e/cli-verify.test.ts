import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CopyApi, snapshotThenFollow } from '@healthd/client/feed';
import { postgresCopy } from '@healthd/client/postgres';
import { HealthdClient } from '@healthd/client';
import { exportSnapshot, listChanges, listUsers } from '@healthd/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payload, reading, WATCH } from '../api/push-payloads.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startWorld, type World } from './cli-world.js';

let world: World;
let database: TestDatabase;
let anna: string;
let ben: string;
beforeAll(async () => {
  world = await startWorld();
  database = await createTestDatabase();
  anna = await createUser('anna@example.org');
  ben = await createUser('ben@example.org');
  for (const user of [anna, ben]) await push(user, '2026-11-01', '2026-11-02');
});
afterAll(async () => {
  await world?.stop();
  await database?.drop();
});

async function createUser(email: string): Promise<string> {
  return JSON.parse((await world.healthctl(['users', 'create', '--email', email])).stdout).id;
}

/** Pushes one heart rate per day and waits until it is stored. */
async function push(user: string, ...days: string[]): Promise<void> {
  const records = days.map((day) =>
    reading('HKQuantityTypeIdentifierHeartRate', `${day}T06:00:00Z`, 60, 'count/min', { source: WATCH }),
  );
  await writeFile(join(world.folder, 'batch.json'), JSON.stringify(payload('apple', { records })));
  const { code, stderr } = await world.healthctl(['push', 'batch.json', '--user', user]);
  expect(code, stderr).toBe(0);
}

/** Copies the data of all users up to now. */
async function copyAll(): Promise<void> {
  const profile = JSON.parse(await readFile(join(world.home, '.config/healthctl/config.json'), 'utf8'));
  const authorize = async () => ({ 'X-Service-API-Key': profile.contexts.local.api_key as string });
  const client = new HealthdClient({ baseUrl: world.url, authorize });
  const api = {
    listChanges: (input: object) => client.call(listChanges, input),
    listUsers: (input: object) => client.call(listUsers, input),
    exportSnapshot: (input: Parameters<CopyApi['exportSnapshot']>[0]) => client.send(exportSnapshot, input),
  } as CopyApi;
  const copy = postgresCopy(database.pool);
  await copy.createTables();
  await snapshotThenFollow(api, copy, { untilCurrent: true });
}

const verify = async (...args: string[]) => {
  const { code, stdout, stderr } = await world.healthctl(['verify', ...args]);
  return { code, rows: stdout === '' ? undefined : JSON.parse(stdout), stderr };
};

describe('healthctl verify with a snapshot file', () => {
  beforeAll(async () => {
    const { code, stderr } = await world.healthctl(['users', 'snapshot', 'anna@example.org', '--out', 'anna.ndjson']);
    expect(code, stderr).toBe(0);
  });

  test('exits with 0 if the copy equals the service', async () => {
    expect(await verify('--copy', 'anna.ndjson')).toMatchObject({ code: 0, rows: [] });
    const { stdout } = await world.onTerminal(['verify', '--copy', 'anna.ndjson', '--color', 'off']);
    expect(stdout).toContain('The copy equals the service: 2 digests of 1 user compared.');
  });

  test('lists the days that differ, with exit code 1', async () => {
    const lines = (await readFile(join(world.folder, 'anna.ndjson'), 'utf8')).trimEnd().split('\n');
    const changed = lines.map((line) =>
      line.includes('2026-11-02T') ? line.replace('"value":60', '"value":61') : line,
    );
    await writeFile(join(world.folder, 'wrong.ndjson'), changed.join('\n'));
    const { code, rows } = await verify('--copy', 'wrong.ndjson', '--user', 'anna@example.org');
    expect(code).toBe(1);
    expect(rows).toEqual([
      {
        user_id: anna,
        problem: 'different',
        day: '2026-11-02',
        kind: 'samples',
        type: 'heart_rate',
        provider: 'apple',
        service_rows: 1,
        copy_rows: 1,
        service_position: expect.any(Number),
        copy_position: expect.any(Number),
      },
    ]);
  });

  test('rejects a truncated file', async () => {
    const lines = (await readFile(join(world.folder, 'anna.ndjson'), 'utf8')).split('\n');
    await writeFile(join(world.folder, 'short.ndjson'), lines.slice(0, -2).join('\n'));
    const { code, stderr } = await verify('--copy', 'short.ndjson');
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'copy_invalid' });
  });

  test('reports a user whom the file does not contain', async () => {
    const { code, stderr } = await verify('--copy', 'anna.ndjson', '--user', 'ben@example.org');
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'not_found' });
  });

  test('reports a missing file', async () => {
    const { code, stderr } = await verify('--copy', 'none.ndjson');
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'file_missing' });
  });
});

describe('healthctl verify with a Postgres database', () => {
  test('reports a database without a copy', async () => {
    const { code, stderr } = await verify('--copy', database.url);
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'copy_missing' });
  });

  test('exits with 0 if the copy of all users equals the service', async () => {
    await copyAll();
    expect(await verify('--copy', database.url)).toMatchObject({ code: 0, rows: [] });
  });

  test('lists a changed, a deleted and an additional row', async () => {
    const { pool } = database;
    await pool.query(`update healthd.samples set offset_minutes = 0 where user_id = $1 and day = '2026-11-01'`, [anna]);
    await pool.query(`delete from healthd.samples where user_id = $1 and day = '2026-11-02'`, [anna]);
    await pool.query(
      `insert into healthd.workouts (user_id, id, type, day, provider, source_id, start_at)
       values ($1, 'w', 'running', '2026-10-01', 'apple', 's', '2026-10-01T08:00:00Z')`,
      [ben],
    );
    const { code, rows } = await verify('--copy', database.url);
    expect(code).toBe(1);
    const found = rows.map(({ user_id, day, problem }: Record<string, string>) => `${user_id} ${day} ${problem}`);
    expect(found.sort()).toEqual(
      [`${anna} 2026-11-01 different`, `${anna} 2026-11-02 missing`, `${ben} 2026-10-01 extra`].sort(),
    );
  });

  test('reports a user with data who is missing from the copy', async () => {
    await database.pool.query('delete from healthd.users where user_id = $1', [anna]);
    await database.pool.query('delete from healthd.workouts');
    const { code, rows } = await verify('--copy', database.url);
    expect(code).toBe(1);
    expect(rows).toMatchObject([{ user_id: anna, problem: 'missing', day: null }]);
  });

  test('warns if the copy is behind the service', async () => {
    await push(ben, '2026-11-03');
    const { code, rows, stderr } = await verify('--copy', database.url, '--user', 'ben@example.org');
    expect(code).toBe(1);
    expect(rows).toMatchObject([{ day: '2026-11-03', problem: 'missing' }]);
    expect(stderr).toContain('The copy is behind');
  });
});
