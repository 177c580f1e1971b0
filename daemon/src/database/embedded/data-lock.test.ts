import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockDataDirectory } from './data-lock.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'healthd-lock-'));
});
afterEach(async () => rm(dataDir, { recursive: true, force: true }));

it('one data directory has one daemon at a time', async () => {
  const lock = await lockDataDirectory(dataDir);
  await expect(lockDataDirectory(dataDir)).rejects.toMatchObject({ code: 'data_directory_in_use' });
  await lock.release();
  await (await lockDataDirectory(dataDir)).release();
  expect(await readdir(dataDir)).toEqual([]);
});

it.each([
  ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, birthMark: '' })],
  [
    'of an earlier process with the same id, as after a restart of a container',
    JSON.stringify({ pid: process.pid, birthMark: 'x/1' }),
  ],
  ['that a full disk left empty', ''],
])('a lock %s is taken over', async (_, content) => {
  await writeFile(join(dataDir, 'healthd.lock'), content);
  const lock = await lockDataDirectory(dataDir);
  await lock.release();
  expect(await readdir(dataDir)).toEqual([]);
});
