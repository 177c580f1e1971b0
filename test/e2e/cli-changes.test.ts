import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payload, reading, WATCH } from '../api/push-payloads.js';
import { PROGRAMS } from '../support/programs.js';
import { startWorld, type World } from './cli-world.js';

let world: World;
let anna: string;
beforeAll(async () => {
  world = await startWorld();
  anna = JSON.parse((await world.healthctl(['users', 'create', '--email', 'anna@example.org'])).stdout).id;
  await push(['2026-11-01', '2026-11-02']);
  await push('2026-11-03');
});
afterAll(() => world?.stop());

/** Pushes one heart rate per day and waits until it is stored. */
async function push(days: string | string[], value = 60): Promise<void> {
  const records = [days]
    .flat()
    .map((day) =>
      reading('HKQuantityTypeIdentifierHeartRate', `${day}T06:00:00Z`, value, 'count/min', { source: WATCH }),
    );
  await writeFile(join(world.folder, 'batch.json'), JSON.stringify(payload('apple', { records })));
  const { code, stderr } = await world.healthctl(['push', 'batch.json', '--user', 'anna@example.org']);
  expect(code, stderr).toBe(0);
}

describe('healthctl changes', () => {
  test('lists the changes of a user in order', async () => {
    const { code, stdout } = await world.healthctl(['changes', '--user', 'anna@example.org', '--kinds', 'samples']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { user_id: anna, action: 'created', type: 'heart_rate', days: [{ from: '2026-11-01', to: '2026-11-02' }] },
      { user_id: anna, action: 'created', type: 'heart_rate', days: [{ from: '2026-11-03', to: '2026-11-03' }] },
    ]);
  });

  test.each([
    ['of all users', []],
    ['of one user', ['--user', 'anna@example.org']],
  ])('continues a list %s with the suggested command', async (_, filter) => {
    const all = JSON.parse((await world.healthctl(['changes', '--all', ...filter])).stdout);
    const first = await world.onTerminal(['changes', '--limit', '1', ...filter, '--color', 'off']);
    const [, more = ''] = /More: healthctl (.*)/.exec(first.stdout) ?? [];
    const rest = JSON.parse((await world.healthctl([...more.trim().split(' '), '--json'])).stdout);
    expect(rest).toEqual(all.slice(1));
  });

  test('shows time, action, data, days and cause on a terminal', async () => {
    const { stdout } = await world.onTerminal(['changes', '--kinds', 'samples', '--color', 'off']);
    expect(stdout).toMatch(/Time +Action +Data +Days +Cause/);
    expect(stdout).toMatch(/created +heart_rate +2026-11-01–2026-11-02 +push/);
  });

  test('--follow prints each new change, then one result line', async () => {
    const child = spawn(process.execPath, [PROGRAMS.healthctl, 'changes', '--follow', '--kinds', 'samples'], {
      env: { PATH: process.env.PATH, HOME: world.home },
      cwd: world.folder,
    });
    const lines = linesOf(child);
    // The program prints nothing before the first change. Pushes changes until the program follows the feed.
    for (let value = 61; lines().length === 0; value++) {
      await push('2026-11-04', value);
      await sleep(300);
    }
    await push('2026-11-05');
    await expect.poll(() => lines().at(-1)?.days).toEqual([{ from: '2026-11-05', to: '2026-11-05' }]);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
    expect(lines().map(({ event }) => event)).toEqual([
      ...lines()
        .slice(1)
        .map(() => undefined),
      'result',
    ]);
    const { cursor } = lines().at(-1) as { cursor: string };
    const rest = await world.healthctl(['changes', '--cursor', cursor, '--kinds', 'samples']);
    expect(JSON.parse(rest.stdout)).toEqual([]);
  });

  test('rejects an unknown kind', async () => {
    const { code, stderr } = await world.healthctl(['changes', '--kinds', 'steps']);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'invalid_input' });
  });
});

/** Returns a function with the JSON lines of the standard output so far. */
function linesOf(child: ChildProcess): () => { event?: string; days?: object[]; cursor?: string }[] {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
}
