import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { copyBinaries, postgresBinaries } from './binaries.js';

it('copies the binaries once into the data directory', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'healthd-binaries-'));
  await chmod(dataDir, 0o711);
  const original = await postgresBinaries(dataDir, undefined);
  const copy = await copyBinaries(dirname(original.root), original.release, dataDir);
  expect(copy.root.startsWith(dataDir)).toBe(true);
  const { stdout } = await promisify(execFile)(copy.postgres, ['--version']);
  expect(stdout).toContain(`(PostgreSQL) ${original.major}.`);
  const { ctimeMs } = await stat(copy.root);
  await copyBinaries(dirname(original.root), original.release, dataDir);
  expect((await stat(copy.root)).ctimeMs).toBe(ctimeMs);
  expect(await readdir(join(dataDir, 'postgres-binaries'))).toEqual([original.release]);
  await rm(dataDir, { recursive: true });
});
