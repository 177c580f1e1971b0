import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asStranger, NO_STRANGER } from '../../../test/support/as-stranger.js';
import { profilePath, readProfile, updateProfile } from './profile-file.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthctl-profile-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('stores the profile in XDG_CONFIG_HOME, else in the home folder', () => {
  expect(profilePath({ XDG_CONFIG_HOME: '/x', HOME: '/h' })).toBe('/x/healthctl/config.json');
  expect(profilePath({ HOME: '/h' })).toBe('/h/.config/healthctl/config.json');
});

test('creates no file except the profile, with owner-only access', async () => {
  const path = join(folder, 'healthctl', 'config.json');
  await updateProfile(path, (profile) => ({ ...profile, current: 'a' }));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, 'healthctl'))).toEqual(['config.json']);
});

test('saves all concurrent changes to the profile', async () => {
  const path = join(folder, 'config.json');
  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      updateProfile(path, async (profile) => {
        await sleep(5);
        return { ...profile, contexts: { ...profile.contexts, [`c${n}`]: { url: `http://${n}.example` } } };
      }),
    ),
  );
  expect(Object.keys((await readProfile(path)).contexts).sort()).toEqual(Array.from({ length: 8 }, (_, n) => `c${n}`));
});

test('leaves only the unchanged profile after a failed change', async () => {
  const path = join(folder, 'config.json');
  await updateProfile(path, () => ({ current: 'kept', contexts: {} }));
  await expect(updateProfile(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect((await readProfile(path)).current).toBe('kept');
  expect(await readdir(folder)).toEqual(['config.json']);
});

test('ignores the lock of a process that has ended', async () => {
  const path = join(folder, 'config.json');
  await writeFile(`${path}.lock`, '4194304 left-behind');
  await updateProfile(path, () => ({ current: 'a', contexts: {} }));
  expect((await readProfile(path)).current).toBe('a');
});

test('changes the file behind a profile that is a symbolic link', async () => {
  const real = join(folder, 'real.json');
  await writeFile(real, '{"contexts":{}}');
  const path = join(folder, 'config.json');
  await symlink(real, path);
  await updateProfile(path, (profile) => ({ ...profile, current: 'a' }));
  expect(JSON.parse(await readFile(real, 'utf8'))).toEqual({ contexts: {}, current: 'a' });
});

test.each([
  ['{ not json', 'it is not valid JSON'],
  ['', 'it is not valid JSON'],
  ['["x"]', 'it is not a profile'],
  ['null', 'it is not a profile'],
  ['"text"', 'it is not a profile'],
  ['{"contexts":["x"]}', 'it is not a profile'],
  ['{"contexts":7}', 'it is not a profile'],
  ['{"contexts":{"a":null}}', 'it is not a profile'],
  ['{"contexts":{"a":{"api_key":"sk-secret"}}}', 'it is not a profile'],
])('keeps an unreadable profile with the content %j', async (text, reason) => {
  const path = join(folder, 'config.json');
  await writeFile(path, text);
  const message = expect.stringContaining(`${path}: ${reason}.`);
  await expect(readProfile(path)).rejects.toMatchObject({ code: 'profile_unreadable', message });
  await expect(updateProfile(path, (profile) => profile)).rejects.toMatchObject({
    code: 'profile_unreadable',
    message,
  });
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('returns no contexts for a missing or empty profile', async () => {
  const path = join(folder, 'config.json');
  expect(await readProfile(path)).toEqual({ contexts: {} });
  await writeFile(path, '{"current":"a"}');
  expect(await readProfile(path)).toEqual({ current: 'a', contexts: {} });
});

test('removes the temporary file after a failed write', async () => {
  const path = join(folder, 'config.json');
  const change = updateProfile(path, async (profile) => {
    await mkdir(join(path, 'taken'), { recursive: true });
    return profile;
  });
  await expect(change).rejects.toMatchObject({ code: 'profile_unwritable' });
  expect(await readdir(folder)).toEqual(['config.json']);
});

test('rejects a profile that is a directory', async () => {
  const path = join(folder, 'config.json');
  await mkdir(path);
  await expect(updateProfile(path, (profile) => profile)).rejects.toMatchObject({
    message: expect.stringContaining('it is a directory'),
    hint: expect.stringContaining('Move the file away'),
  });
  expect((await stat(path)).isDirectory()).toBe(true);
});

test('distinguishes missing permissions from a broken profile', async ({ skip }) => {
  if (NO_STRANGER !== undefined) skip(NO_STRANGER);
  const path = join(folder, 'config.json');
  await chmod(folder, 0o755);
  await writeFile(path, '{"contexts":{}}', { mode: 0o600 });
  await asStranger(path, () =>
    expect(readProfile(path)).rejects.toMatchObject({
      code: 'profile_unreadable',
      message: expect.stringContaining('permission denied'),
      hint: expect.stringContaining('XDG_CONFIG_HOME'),
    }),
  );
});

test('reports why the profile folder cannot be created', async () => {
  await writeFile(join(folder, 'taken'), '');
  await expect(updateProfile(join(folder, 'taken', 'config.json'), (profile) => profile)).rejects.toMatchObject({
    code: 'profile_unwritable',
    hint: expect.stringContaining('XDG_CONFIG_HOME'),
  });
});
