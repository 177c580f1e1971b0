import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { withFileLock } from './file-lock.js';
import { unreadable, unwritable } from './profile-trouble.js';

/**
 * Stored settings and credentials of one service. The file is
 *
 *     { "current": "local",
 *       "contexts": { "local": { "url", "api_key", "refresh_token", "developer_email", "api_key_header" } } }
 *
 * `url` is required, the rest optional. The service's first start writes the context `local` in the same form.
 */
export interface StoredContext {
  /** Service URL without a trailing slash. */
  url: string;
  /** `sk-…`: API key for application routes. */
  api_key?: string;
  /** `rt-…`: refresh token of the developer. Every exchange replaces it. */
  refresh_token?: string;
  developer_email?: string;
  /** Header for the API key. Default: `X-Service-API-Key`. */
  api_key_header?: string;
}

export interface Profile {
  /** Name of the default context. */
  current?: string;
  contexts: Record<string, StoredContext>;
}

/** Path of the profile: `$XDG_CONFIG_HOME/healthctl/config.json`, else below `~/.config`. */
export function profilePath(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'healthctl', 'config.json');
}

/** Reads the profile. Empty if the file is missing. @throws CliError `profile_unreadable` */
export async function readProfile(path: string): Promise<Profile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { contexts: {} };
    throw unreadable(path, error);
  }
  try {
    return parseProfile(text);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function parseProfile(text: string): Profile {
  const value = JSON.parse(text) as Partial<Profile> | null;
  if (!isObject(value)) throw new TypeError('not an object');
  const contexts = value.contexts ?? {};
  if (!isObject(contexts)) throw new TypeError('contexts is not an object');
  for (const context of Object.values(contexts)) {
    if (typeof context?.url !== 'string') throw new TypeError('a context has no url');
  }
  return { ...value, contexts };
}

function isObject<T>(value: T | null): value is T & object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Updates the profile under its lock. `change` gets the newest state, may call the service, and returns the new state.
 * Replaces the file atomically; only its owner can read it.
 * @throws CliError `profile_unreadable`, `profile_unwritable`, `profile_locked`, and errors of `change`
 */
export async function updateProfile(
  path: string,
  change: (profile: Profile) => Promise<Profile> | Profile,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw unwritable(path, error);
  });
  await withFileLock(`${path}.lock`, async () => {
    await replaceFile(path, `${JSON.stringify(await change(await readProfile(path)), null, 2)}\n`);
  });
}

async function replaceFile(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path); // Replaces the target of a symbolic link, not the link.
  const draft = `${target}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(draft, 0o600);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw unwritable(path, error);
  }
}
