import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { EmbeddedDatabaseError } from './errors.js';

/** System account that Postgres runs under if healthd runs as root, because Postgres rejects root. */
export interface Account {
  uid: number;
  gid: number;
}

/** System accounts in order of preference. `initdb` looks up its account by name, so a number alone is not enough. */
const ACCOUNT_NAMES = ['healthd', 'nobody'];

/**
 * Returns the account that Postgres must run under; undefined if the current account works. Prefers the owner of an
 * existing cluster, so that a new account on the machine never locks an installation out of its data.
 */
export async function postgresAccount(clusterDirectory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterDirectory).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };

  const entries = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ACCOUNT_NAMES) {
    const entry = entries.find((fields) => fields[0] === name);
    // Some systems write the account `nobody` as -2.
    if (entry !== undefined) return { uid: Number(entry[2]) >>> 0, gid: Number(entry[3]) >>> 0 };
  }
  throw new EmbeddedDatabaseError(
    'account_missing',
    `Postgres cannot run as root, and this machine has none of the accounts ${ACCOUNT_NAMES.join(', ')}. ` +
      'Create one of them, start healthd as another user, or set DATABASE_URL.',
  );
}

/** Returns the first folder along `path`, including `path` itself, that the account may not enter. */
export async function barrierFor(account: Account, path: string): Promise<string | undefined> {
  const folders: string[] = [];
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  for (const folder of folders) {
    const { mode, uid, gid } = await stat(folder);
    const needed = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) return folder;
  }
  return undefined;
}
