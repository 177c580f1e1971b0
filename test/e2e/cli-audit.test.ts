import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zipEntries } from '../support/zip-entries.js';
import { startWorld, type World } from './cli-world.js';

let world: World;
let userId: string;
beforeAll(async () => {
  world = await startWorld();
  const created = await world.healthctl(['users', 'create', '--first-name', 'Anna']);
  userId = JSON.parse(created.stdout).id;
});
afterAll(() => world.stop());

test('users export never overwrites its owner-only archive', async () => {
  const saved = await world.healthctl(['users', 'export', userId, '--out', 'anna.zip']);
  expect(saved.code, saved.stderr).toBe(0);
  const file = join(world.folder, 'anna.zip');
  const { size, mode } = await stat(file);
  expect(JSON.parse(saved.stdout)).toEqual({ user_id: userId, file, bytes: size });
  expect(mode & 0o777).toBe(0o600);
  const entries = await zipEntries(await readFile(file));
  expect(JSON.parse(String(entries.get('profile.ndjson')))).toMatchObject({ id: userId, first_name: 'Anna' });

  const again = await world.healthctl(['users', 'export', userId, '--out', 'anna.zip']);
  expect(again.code).toBe(1);
  expect(JSON.parse(again.stderr)).toMatchObject({ code: 'file_exists' });
  const unknown = await world.healthctl(['users', 'export', '11111111-2222-4333-8444-555555555555']);
  expect(JSON.parse(unknown.stderr)).toMatchObject({ code: 'not_found' });
  expect((await readdir(world.folder)).filter((name) => /zip|part/.test(name))).toEqual(['anna.zip']);
});

test("audit list shows a user's history, filtered and paged", async () => {
  const list = async (...args: string[]) => {
    const { code, stdout, stderr } = await world.healthctl(['audit', 'list', ...args]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout).map(({ action, actor_type }: Record<string, string>) => `${actor_type} ${action}`);
  };
  expect(await list('--user', userId, '--resource', 'user')).toEqual(['developer export', 'api_key create']);
  expect(await list('--user', userId, '--action', 'create', '--from', '2d')).toEqual(['api_key create']);
  expect(await list('--user', userId, '--to', '2020-01-31')).toEqual([]);
  expect(await list('--limit', '1')).toHaveLength(1);
  const table = await world.onTerminal(['audit', 'list', '--user', userId, '--color', 'off']);
  expect(table.stdout).toMatch(/Time +Action +Actor id/);
  expect(table.stdout).toContain('export user');
});

test('audit list shows complete actor IDs within 80 columns for --actor', async () => {
  const [exported] = JSON.parse((await world.healthctl(['audit', 'list', '--action', 'export'])).stdout);
  // A terminal of unknown width has 80 columns.
  const table = await world.onTerminal(['audit', 'list', '--actor', exported.actor_id, '--color', 'off']);
  expect(table.stdout.split(/\r?\n/).find((line) => line.includes('export user'))).toContain(exported.actor_id);
});

test('audit list requires a login if only an API key is stored', async () => {
  const { code, stderr } = await world.healthctl(['audit', 'list'], { env: { HEALTHCTL_TOKEN: 'sk-0123' } });
  expect(code).toBe(4);
  expect(JSON.parse(stderr)).toMatchObject({ code: 'login_needed' });
});
