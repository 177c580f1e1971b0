import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asStranger } from '../../../test/support/as-stranger.js';
import { ProfileError, readProfile, writeProfile } from './profile.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthd-profile-'));
  await chmod(folder, 0o755);
  path = join(folder, 'config.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('reads a missing profile as empty', async () => {
  expect(await readProfile(path)).toEqual({ contexts: {} });
});

test.each([
  ['{ "contexts": {"local": "rt-secret', 'invalid JSON'],
  ['', 'invalid JSON'],
  ['[]', 'not a profile'],
  ['{"contexts":{"local":{}}}', 'not a profile'],
  ['{"contexts":["rt-secret"]}', 'not a profile'],
])('rejects the profile %j without quoting the content', async (text, reason) => {
  await writeFile(path, text);
  await expect(readProfile(path)).rejects.toEqual(
    new ProfileError(`Cannot read ${path} (${reason}); the file was not changed`),
  );
});

test('rejects a profile that is a directory or not readable', async () => {
  await mkdir(path);
  await expect(readProfile(path)).rejects.toThrow('(is a directory)');
  const closed = join(folder, 'closed.json');
  await writeFile(closed, '{"contexts":{}}', { mode: 0o600 });
  await asStranger(closed, () => expect(readProfile(closed)).rejects.toThrow('(permission denied)'));
});

test('writes the profile through a symbolic link with owner-only access', async () => {
  await writeFile(join(folder, 'real.json'), '{"contexts":{}}', { mode: 0o644 });
  await symlink(join(folder, 'real.json'), path);
  await writeProfile(path, { current: 'a', contexts: { a: { url: 'http://a.example' } } });
  expect(JSON.parse(await readFile(join(folder, 'real.json'), 'utf8'))).toEqual(await readProfile(path));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).sort()).toEqual(['config.json', 'real.json']);
});

test('fails if the profile’s directory cannot be created', async () => {
  await writeFile(join(folder, 'taken'), '');
  const below = join(folder, 'taken', 'config.json');
  await expect(writeProfile(below, { contexts: {} })).rejects.toThrow(`Cannot write ${below} (`);
});
