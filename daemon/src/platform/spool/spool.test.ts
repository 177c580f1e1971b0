import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSpool, type Spool } from './index.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest();
/** Differs from the hash of the file, so that the tests can distinguish it from a hash that was read. */
const REMEMBERED = sha256('remembered');

let folder: string;
let spool: Spool;
let name: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthd-spool-'));
  spool = await openSpool(folder, 'import');
});

beforeEach(async () => {
  name = spool.nameOf(randomUUID());
  await writeFile(spool.pathOf(name), 'steps');
  await spool.remember(name, REMEMBERED);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the hash of a spooled file', () => {
  it('is cached for the first check only', async () => {
    expect(await spool.hash(name)).toEqual(REMEMBERED);
    expect(await spool.hash(name)).toEqual(sha256('steps'));
  });

  it('is computed from the file in another process', async () => {
    expect(await (await openSpool(folder, 'import')).hash(name)).toEqual(sha256('steps'));
  });

  it('is computed again if only the content changes, not the length', async () => {
    await writeFile(spool.pathOf(name), 'sleep');
    expect(await spool.hash(name)).toEqual(sha256('sleep'));
  });

  it('is computed again if another file replaces the file', async () => {
    await writeFile(join(folder, 'other'), 'steps');
    await rename(join(folder, 'other'), spool.pathOf(name));
    expect(await spool.hash(name)).toEqual(sha256('steps'));
  });

  it('is undefined if the file was removed', async () => {
    await spool.remove(name);
    expect(await spool.hash(name)).toBeUndefined();
  });
});
