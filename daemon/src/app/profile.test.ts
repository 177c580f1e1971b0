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

test('a profile that is not there is empty', async () => {
  expect(await readProfile(path)).toEqual({ contexts: {} });
});

test.each([
  ['{ "contexts": {"local": "rt-secret', 'it is not valid JSON'],
  ['', 'it is not valid JSON'],
  ['[]', 'it does not hold a profile'],
  ['{"contexts":{"local":{}}}', 'it does not hold a profile'],
  ['{"contexts":["rt-secret"]}', 'it does not hold a profile'],
])('a profile with the content %j is refused with the reason and without its content', async (text, reason) => {
  await writeFile(path, text);
  await expect(readProfile(path)).rejects.toEqual(
    new ProfileError(`${path} cannot be read (${reason}) and was left as it is`),
  );
});

test('a profile that is a directory, or that this user may not read, is refused with the reason', async () => {
  await mkdir(path);
  await expect(readProfile(path)).rejects.toThrow('(it is a directory) and was left as it is');
  const closed = join(folder, 'closed.json');
  await writeFile(closed, '{"contexts":{}}', { mode: 0o600 });
  await asStranger(closed, () => expect(readProfile(closed)).rejects.toThrow('(permission denied)'));
});

test('a profile is replaced in one step, for its owner only, and stays where a link leads', async () => {
  await writeFile(join(folder, 'real.json'), '{"contexts":{}}', { mode: 0o644 });
  await symlink(join(folder, 'real.json'), path);
  await writeProfile(path, { current: 'a', contexts: { a: { url: 'http://a.example' } } });
  expect(JSON.parse(await readFile(join(folder, 'real.json'), 'utf8'))).toEqual(await readProfile(path));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).sort()).toEqual(['config.json', 'real.json']);
});

test('a profile whose folder cannot be made is refused with the reason', async () => {
  await writeFile(join(folder, 'taken'), '');
  const below = join(folder, 'taken', 'config.json');
  await expect(writeProfile(below, { contexts: {} })).rejects.toThrow(`${below} cannot be written (`);
});
