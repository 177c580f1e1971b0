import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockDataDirectory } from './data-lock.js';
import { lockHolder, tryFileLock } from './file-lock.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'healthd-lock-'));
});
afterEach(async () => rm(dataDir, { recursive: true, force: true }));

it('allows one daemon per data directory', async () => {
  const lock = await lockDataDirectory(dataDir);
  await expect(lockDataDirectory(dataDir)).rejects.toMatchObject({
    code: 'data_directory_in_use',
    message: expect.stringContaining(`(process ${process.pid})`),
  });
  lock.release();
  lock.release();
  const again = await lockDataDirectory(dataDir);
  await expect(lockDataDirectory(dataDir)).rejects.toMatchObject({ code: 'data_directory_in_use' });
  again.release();
});

it('names the backup process for which it waits', async () => {
  const backup = await lockDataDirectory(dataDir, { command: 'backup' });
  const lines: string[] = [];
  const waiting = lockDataDirectory(dataDir, { onProgress: (line) => lines.push(line) });
  await expect
    .poll(() => lines)
    .toEqual([`Waiting for \`healthd backup\` (process ${process.pid}), which is reading ${dataDir}`]);
  await expect(lockDataDirectory(dataDir, { command: 'backup' })).rejects.toMatchObject({
    code: 'data_directory_in_use',
  });
  backup.release();
  const lock = await waiting;
  await expect(lockDataDirectory(dataDir)).rejects.toMatchObject({ code: 'data_directory_in_use' });
  expect(lines).toHaveLength(1);
  lock.release();
});

it('stops waiting for a backup when the start is interrupted', async () => {
  const backup = await lockDataDirectory(dataDir, { command: 'backup' });
  const ending = new AbortController();
  const waiting = lockDataDirectory(dataDir, { signal: ending.signal });
  ending.abort();
  await expect(waiting).rejects.toThrow();
  backup.release();
});

it.each([
  [
    'whose holder has ended',
    JSON.stringify({ pid: 1, host: 'an-earlier-container', pidNamespace: 'pid:[1]', since: '' }),
  ],
  ['of a version before kernel locks', JSON.stringify({ pid: process.pid, birthMark: 'x/1' })],
  ['that a full disk left empty', ''],
])('ignores a lock file %s', async (_, content) => {
  await writeFile(join(dataDir, 'healthd.lock'), content);
  const lock = await lockDataDirectory(dataDir);
  expect(lockHolder(join(dataDir, 'healthd.lock'))).toMatchObject({ pid: process.pid, host: hostname() });
  lock.release();
});

it('names a lock holder in another process namespace by host and start', async () => {
  const lock = await lockDataDirectory(dataDir);
  const holder = { pid: 1, host: '3f2a9c', pidNamespace: 'pid:[1]', since: '2026-01-05T08:00:00.000Z' };
  await writeFile(join(dataDir, 'healthd.lock'), JSON.stringify(holder));
  await expect(lockDataDirectory(dataDir)).rejects.toThrow(
    '(process 1 on another host or container named 3f2a9c, since 2026-01-05T08:00:00.000Z)',
  );
  lock.release();
});

it('keeps the lock while a child process with the inherited lock lives', async () => {
  const path = join(dataDir, 'inherited.lock');
  const lock = await tryFileLock(path);
  const child = spawn('sleep', ['600'], { stdio: ['ignore', 'ignore', 'ignore', lock?.fd] });
  await once(child, 'spawn');
  lock?.release();
  expect(await tryFileLock(path)).toBeUndefined();
  child.kill('SIGKILL');
  await once(child, 'close');
  const freed = await tryFileLock(path);
  expect(freed).toBeDefined();
  freed?.release();
});

it('names a lock file that fails to open, with the reason', async () => {
  await mkdir(join(dataDir, 'healthd.lock'));
  await expect(lockDataDirectory(dataDir)).rejects.toMatchObject({
    code: 'data_directory_unreachable',
    message: expect.stringMatching(/healthd\.lock .*EISDIR/),
  });
});
