import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withFileLock } from './file-lock.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthctl-lock-'));
  path = join(folder, 'config.json.lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const exists = () =>
  stat(path).then(
    () => true,
    () => false,
  );

test('holds a private lock only while the work runs', async () => {
  const mode = await withFileLock(path, async () => (await stat(path)).mode & 0o777);
  expect(mode).toBe(0o600);
  expect(await exists()).toBe(false);
});

test.each([
  ['a running process', `${process.pid} another-mark`],
  ['an unknown process', 'created by another program'],
  ['a nonexistent process ID', '0 another-mark'],
])('waits for a fresh lock of %s', async (_, content) => {
  await writeFile(path, content);
  let began = false;
  const work = withFileLock(path, async () => {
    began = true;
  });
  await sleep(300);
  expect(began).toBe(false);
  expect(await readFile(path, 'utf8')).toBe(content);
  await rm(path);
  await work;
  expect(began).toBe(true);
});

test('claims an expired lock even if its process is running', async () => {
  await writeFile(path, `${process.pid} another-mark`);
  const before = new Date(Date.now() - 31_000);
  await utimes(path, before, before);
  expect(await withFileLock(path, async () => 'done')).toBe('done');
});

test('keeps a lock that another process claimed', async () => {
  await withFileLock(path, () => writeFile(path, '1 another-mark'));
  expect(await readFile(path, 'utf8')).toBe('1 another-mark');
});

test('succeeds if another process has removed the lock', async () => {
  await withFileLock(path, () => rm(path));
  expect(await exists()).toBe(false);
});

test('fails without running the work if the lock cannot be created', async () => {
  let began = false;
  const work = withFileLock(join(folder, 'missing', 'config.json.lock'), async () => {
    began = true;
  });
  await expect(work).rejects.toMatchObject({ code: 'profile_unwritable', message: expect.stringContaining('ENOENT') });
  expect(began).toBe(false);
});
