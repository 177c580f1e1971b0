import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonOf } from './cli-responses.js';
import { startWorld, type World } from './cli-world.js';
import { homeBehindProxy } from './home-behind-proxy.js';

let world: World;
let proxied: Awaited<ReturnType<typeof homeBehindProxy>>;
let home: string;
/** Creates a profile that uses a proxy. The proxy responds 503 to requests for erasure receipts. */
beforeAll(async () => {
  world = await startWorld();
  proxied = await homeBehindProxy(world, async ({ path }, pass) =>
    path.startsWith('/api/v1/erasures/') ? { status: 503, text: '{"detail":"Not now."}' } : pass(),
  );
  home = proxied.home;
});
afterAll(async () => {
  proxied?.stop();
  await world?.stop();
});

test('deletes a user even if the receipt is unreadable', async () => {
  const { id } = await jsonOf(world, ['users', 'create', '--email', 'anna@clinic.example']);
  const deleted = await world.healthctl(['users', 'delete', id, '--yes'], { home });
  expect(deleted.code, deleted.stderr).toBe(0);
  expect(deleted.stderr).toContain('Not now.');
  const record = JSON.parse(deleted.stdout);
  expect(record).toMatchObject({ id, email: 'anna@clinic.example', erasure: null });
  expect(await jsonOf(world, ['users', 'erasure', record.erasure_id])).toMatchObject({ id: record.erasure_id });
});

test('prints the command that reads the receipt on a terminal', async () => {
  const { id } = await jsonOf(world, ['users', 'create']);
  const { code, stdout } = await world.onTerminal(['users', 'delete', id, '--yes'], { home });
  expect(code, stdout).toBe(0);
  const erasure = /healthctl users erasure ([0-9a-f-]{36})/.exec(stdout)?.[1];
  expect(stdout).toMatch(new RegExp(`Erasure +${erasure}`));
  expect(await jsonOf(world, ['users', 'erasure', String(erasure)])).toMatchObject({ id: erasure });
});

test('does not delete a user if --json or --jq is invalid', async () => {
  const { id } = await jsonOf(world, ['users', 'create']);
  for (const wrong of [
    ['--json', 'id,erased'],
    ['--jq', '.['],
  ]) {
    const rejected = await world.healthctl(['users', 'delete', id, '--yes', ...wrong]);
    expect(rejected.code, rejected.stderr).toBe(2);
    expect(await jsonOf(world, ['users', 'show', id])).toMatchObject({ id });
  }
  expect(await jsonOf(world, ['users', 'delete', id, '--yes', '--json', 'id'])).toEqual({ id });
});
