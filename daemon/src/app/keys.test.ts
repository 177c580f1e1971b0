import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SettingsError } from '../platform/settings-error.js';
import { loadKeys, newKeysFile } from './keys.js';
import { readSettings } from './settings/settings.js';

const unused = async () => false;

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'healthd-keys-'));
});
afterEach(async () => rm(dataDir, { recursive: true }));

it('reuses the owner-only key file of the first start', async () => {
  const settings = readSettings({ DATA_DIR: dataDir });
  const first = await loadKeys(settings, unused);
  expect(first.encryptionKeys[0].byteLength).toBe(32);
  expect(first.signingKey.byteLength).toBeGreaterThanOrEqual(32);
  expect((await stat(join(dataDir, 'keys.env'))).mode & 0o777).toBe(0o600);
  expect(await loadKeys(settings, unused)).toEqual(first);
  expect(await readdir(dataDir)).toEqual(['keys.env']);
});

it('prefers a key in the environment to the stored key', async () => {
  await loadKeys(readSettings({ DATA_DIR: dataDir }), unused);
  const given = { DATA_DIR: dataDir, SECRET_KEY: 'a secret of the owner' };
  expect((await loadKeys(readSettings(given), unused)).secretKey).toBe('a secret of the owner');
});

it('loads the same keys in concurrent first starts', async () => {
  const settings = readSettings({ DATA_DIR: dataDir });
  const [one, two] = await Promise.all([loadKeys(settings, unused), loadKeys(settings, unused)]);
  expect(one).toEqual(two);
});

it('stores no keys when using an external database server', async () => {
  const keys = Object.fromEntries(
    newKeysFile()
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  const settings = readSettings({ ...keys, DATA_DIR: dataDir, DATABASE_URL: 'postgres://db/healthd' });
  expect((await loadKeys(settings, unused)).secretKey).toBe(keys.SECRET_KEY);
  expect(await readdir(dataDir)).toEqual([]);
});

it('names a damaged key file and its invalid key in the error', async () => {
  await writeFile(join(dataDir, 'keys.env'), 'SECRET_KEY=only this one was kept\nENCRYPTION_KEY=short\n');
  const failure = loadKeys(readSettings({ DATA_DIR: dataDir }), unused);
  await expect(failure).rejects.toThrow(SettingsError);
  await expect(failure).rejects.toThrow(/keys\.env: ENCRYPTION_KEY/);
});

it('reports an uncreatable data directory as an invalid setting', async () => {
  await writeFile(join(dataDir, 'file'), '');
  const failure = loadKeys(readSettings({ DATA_DIR: join(dataDir, 'file', 'data') }), unused);
  await expect(failure).rejects.toThrow(/DATA_DIR ".*" \(ENOTDIR\)/);
});

it('creates no keys if the database has values sealed with lost keys', async () => {
  const lost = loadKeys(readSettings({ DATA_DIR: dataDir }), async () => true);
  await expect(lost).rejects.toThrow(SettingsError);
  await expect(lost).rejects.toThrow(/keys\.env is missing, .* ENCRYPTION_KEY/);
  expect(await readdir(dataDir)).toEqual([]);
  const given = { DATA_DIR: dataDir, ENCRYPTION_KEY: 'A'.repeat(43) };
  expect((await loadKeys(readSettings(given), async () => true)).encryptionKeys[0].byteLength).toBe(32);
});
