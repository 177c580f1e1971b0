import { spawn } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from './cli-world.js';

const DEMO = resolve(import.meta.dirname, '../../scripts/demo.mjs');

let world: World;
let temporary: string;

beforeAll(async () => {
  world = await startWorld();
  temporary = join(world.folder, 'tmp');
  await mkdir(temporary);
});
afterAll(() => world?.stop());

/** Runs the demo against the service of this test; `interruptAt` presses Ctrl-C once this text appears. */
function demo(interruptAt?: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: world.home, PORT: new URL(world.url).port, TMPDIR: temporary };
  const child = spawn(process.execPath, [DEMO], { env, stdio: ['ignore', 'pipe', 'pipe'] });
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

test('the demo shows fourteen days of a new user, beside a service that runs already, and leaves no file', async () => {
  const { code, stdout, stderr } = await demo();
  expect(code, stderr).toBe(0);
  expect(stdout.match(/^\d{4}-\d\d-\d\d +[\d,]+ /gm)?.length).toBeGreaterThanOrEqual(13);
  const [user] = await userIds();
  expect(stderr).toContain(`${world.url.replace('127.0.0.1', 'localhost')}/users/${user}`);
  expect(await readdir(temporary)).toEqual([]);
  expect((await world.healthctl(['doctor'])).code).toBe(0);
});

test('a demo that is interrupted in the middle of its import leaves neither its user nor its file', async () => {
  const before = await userIds();
  const { code, stderr } = await demo('the run is xml_');
  expect(code, stderr).not.toBe(0);
  expect(stderr).toContain('Deleted Demo');
  expect(await userIds()).toEqual(before);
  expect(await readdir(temporary)).toEqual([]);
});
