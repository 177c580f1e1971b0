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

test('a missing profile is empty', async () => {
  expect(await readProfile(path)).toEqual({ contexts: {} });
});

test.each([
  ['{ "contexts": {"local": "rt-secret', 'it is not valid JSON'],
  ['', 'it is not valid JSON'],
  ['[]', 'it does not contain a profile'],
  ['{"contexts":{"local":{}}}', 'it does not contain a profile'],
  ['{"contexts":["rt-secret"]}', 'it does not contain a profile'],
])('a profile with the content %j is refused with the reason and without its content', async (text, reason) => {
  await writeFile(path, text);
  await expect(readProfile(path)).rejects.toEqual(
    new ProfileError(`${path} cannot be read (${reason}) and was not changed`),
  );
});

test('rejects a directory or unreadable file with the reason', async () => {
  await mkdir(path);
  await expect(readProfile(path)).rejects.toThrow('(it is a directory) and was not changed');
  const closed = join(folder, 'closed.json');
  await writeFile(closed, '{"contexts":{}}', { mode: 0o600 });
  await asStranger(closed, () => expect(readProfile(closed)).rejects.toThrow('(permission denied)'));
});

test('replaces a profile atomically, owner-only, following a symlink', async () => {
  await writeFile(join(folder, 'real.json'), '{"contexts":{}}', { mode: 0o644 });
  await symlink(join(folder, 'real.json'), path);
  await writeProfile(path, { current: 'a', contexts: { a: { url: 'http://a.example' } } });
  expect(JSON.parse(await readFile(join(folder, 'real.json'), 'utf8'))).toEqual(await readProfile(path));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).sort()).toEqual(['config.json', 'real.json']);
});

test('rejects a profile in an uncreatable folder with the reason', async () => {
  await writeFile(join(folder, 'taken'), '');
  const below = join(folder, 'taken', 'config.json');
  await expect(writeProfile(below, { contexts: {} })).rejects.toThrow(`${below} cannot be written (`);
});
