import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** What healthctl needs to talk to one service; the format is healthctl's (`cli/src/profile/`). */
export interface ProfileContext {
  url: string;
  api_key: string;
  refresh_token: string;
  developer_email: string;
  api_key_header: string;
}

/** Where healthctl keeps its profile. */
export function profilePath(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'healthctl', 'config.json');
}

/**
 * Adds the context `local` to healthctl's profile and makes it the current one when there is none; other contexts stay.
 * The file holds credentials, so only its owner may read it.
 */
export async function writeProfile(path: string, context: ProfileContext): Promise<void> {
  const known = await readProfile(path);
  const contexts = { ...known.contexts, local: context };
  const text = `${JSON.stringify({ ...known, current: known.current ?? 'local', contexts }, null, 2)}\n`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}

async function readProfile(path: string): Promise<{ current?: string; contexts?: Record<string, unknown> }> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as { current?: string; contexts?: Record<string, unknown> };
  } catch {
    return {};
  }
}
