import { randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { environment } from './settings/environment.js';

/** healthctl's profile for one service. The file format is healthctl's (`cli/src/profile/`). */
interface ProfileContext {
  url: string;
  api_key: string;
  refresh_token: string;
  developer_email: string;
  api_key_header: string;
}

export interface Profile {
  current?: string;
  contexts: Readonly<Record<string, Partial<ProfileContext>>>;
}

/** The profile cannot be read or written. The message contains the file and the reason. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

/** Returns the path of healthctl's profile. */
export function profilePath(env: NodeJS.ProcessEnv = environment()): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'healthctl', 'config.json');
}

/**
 * Reads the profile; returns an empty one if the file does not exist.
 * @throws ProfileError
 */
export async function readProfile(path: string): Promise<Profile> {
  try {
    return parseProfile(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { contexts: {} };
    throw new ProfileError(`Cannot read ${path} (${reasonOf(error)}); the file was not changed`);
  }
}

/**
 * Replaces the profile atomically. Only its owner may read it, because it contains credentials.
 * @throws ProfileError
 */
export async function writeProfile(path: string, profile: Profile): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const target = await realpath(path).catch(() => path); // Replaces the target of a symbolic link, not the link.
    const draft = `${target}.${randomUUID()}`;
    try {
      await writeFile(draft, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw new ProfileError(`Cannot write ${path} (${reasonOf(error)})`);
  }
}

function parseProfile(text: string): Profile {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new TypeError('not a profile');
  const contexts = value.contexts ?? {};
  if (!isObject(contexts) || !Object.values(contexts).every(isContext)) throw new TypeError('not a profile');
  return { ...value, contexts: contexts as Profile['contexts'] };
}

function isContext(value: unknown): boolean {
  return isObject(value) && typeof value.url === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes an error without the parser's message, which quotes the file and its credentials. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'invalid JSON';
  if (error instanceof TypeError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EISDIR') return 'is a directory';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  return code ?? 'unknown reason';
}
