import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SettingsError } from '../platform/settings-error.js';
import { readSettings, type Settings } from './settings/settings.js';

/** The three root secrets of the service. */
export interface Keys {
  /** The default webhook secret. A vendor may receive this key, so it must not protect anything else. */
  secretKey: string;
  /** 32 bytes each. The first key encrypts; every key decrypts. */
  encryptionKeys: readonly [Uint8Array, ...Uint8Array[]];
  /** At least 32 bytes. */
  signingKey: Uint8Array;
}

const FILE_NAME = 'keys.env';

/**
 * Loads the keys from the settings. With the embedded database, missing keys are read from the data directory, where
 * the first start creates them. The directory must exist and belong to this process.
 * @param hasSealedValues returns true if the database contains sealed values. If so, a missing key counts as lost, and
 * no new key is created
 * @throws SettingsError if the file is damaged or lost
 */
export async function loadKeys(settings: Settings, hasSealedValues: () => Promise<boolean>): Promise<Keys> {
  const stored = settings.databaseUrl === undefined ? await storedKeys(settings, hasSealedValues) : undefined;
  const secretKey = settings.secretKey ?? stored?.secretKey;
  const encryptionKeys = settings.encryptionKeys ?? stored?.encryptionKeys;
  const signingKey = settings.signingKey ?? stored?.signingKey;
  const [first, ...older] = encryptionKeys ?? [];
  if (secretKey === undefined || first === undefined || signingKey === undefined) {
    throw new SettingsError([
      `${join(settings.dataDir, FILE_NAME)} must contain SECRET_KEY, ENCRYPTION_KEY and SIGNING_KEY, but one is missing. Restore the file from a backup.`,
    ]);
  }
  return { secretKey, encryptionKeys: [first, ...older], signingKey: Buffer.from(signingKey, 'utf8') };
}

/** Returns new keys in environment file format, for `healthd keys` and the data directory. */
export function newKeysFile(): string {
  const names = ['SECRET_KEY', 'ENCRYPTION_KEY', 'SIGNING_KEY'];
  return names.map((name) => `${name}=${randomBytes(32).toString('base64url')}\n`).join('');
}

/** Stores the keys of a restored backup in the data directory. Replaces all existing keys. */
export async function storeRestoredKeys(dataDir: string, keys: Readonly<Record<string, string>>): Promise<void> {
  const path = join(dataDir, FILE_NAME);
  const text = Object.entries(keys).map(([name, value]) => `${name}=${value}\n`);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text.join(''), { mode: 0o600, flush: true });
  await rename(draft, path);
}

/**
 * Returns the encryption keys from the settings or the data directory; an empty list if they are lost. Never creates
 * keys.
 */
export async function storedEncryptionKeys(settings: Settings): Promise<readonly Uint8Array[]> {
  if (settings.encryptionKeys !== undefined) return settings.encryptionKeys;
  const path = join(settings.dataDir, FILE_NAME);
  const text = await readIfThere(path);
  return (text === undefined ? undefined : parse(path, text).encryptionKeys) ?? [];
}

async function storedKeys(settings: Settings, hasSealedValues: () => Promise<boolean>): Promise<Settings> {
  const { dataDir } = settings;
  const path = join(dataDir, FILE_NAME);
  const text = await readOrCreate(path, async () => {
    if (settings.encryptionKeys === undefined && (await hasSealedValues())) throw lostKeys(path);
  }).catch((cause: NodeJS.ErrnoException | SettingsError) => {
    if (cause instanceof SettingsError) throw cause;
    throw new SettingsError([
      `Cannot write ${FILE_NAME} to the DATA_DIR "${dataDir}" (${cause.code}). Give this user write permission for the directory, or set another DATA_DIR.`,
    ]);
  });
  return parse(path, text);
}

function lostKeys(path: string): SettingsError {
  return new SettingsError([
    `${path} is missing, and the database contains secrets that were encrypted with its ENCRYPTION_KEY. Restore the file from a ` +
      'backup, or set ENCRYPTION_KEY. If it is lost: healthd admin discard-sealed',
  ]);
}

function parse(path: string, text: string): Settings {
  const lines = text.split('\n').map((line) => line.split(/=(.*)/s));
  try {
    return readSettings(Object.fromEntries(lines.map(([name, value]) => [name, value])));
  } catch (cause) {
    if (!(cause instanceof SettingsError)) throw cause;
    throw new SettingsError(cause.problems.map((problem) => `${path}: ${problem}`));
  }
}

async function readOrCreate(path: string, mayCreate: () => Promise<void>): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const found = await readIfThere(path);
  if (found !== undefined) return found;
  await mayCreate();
  return create(path);
}

/**
 * Creates the key file atomically. With an incomplete file, data encrypted with the missing keys would be unreadable.
 */
async function create(path: string): Promise<string> {
  // Uses random bytes instead of the process ID, because two containers on one volume may have the same process ID.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const text = newKeysFile();
  await writeFile(draft, text, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await readFile(path, 'utf8');
  } finally {
    await rm(draft, { force: true });
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
