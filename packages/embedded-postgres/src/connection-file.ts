import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.js';

/** Connection of the embedded Postgres; stored in the data directory, readable only by its owner. */
export interface ConnectionFile {
  port: number;
  user: string;
  password: string;
}

const FILE_NAME = 'postgres.json';

/** Reads the stored connection of a previous start. */
export async function readConnectionFile(dataDir: string): Promise<ConnectionFile | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, FILE_NAME), 'utf8')) as ConnectionFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file atomically, so that a kill leaves the old file or the new file. */
export async function writeConnectionFile(dataDir: string, connection: ConnectionFile): Promise<void> {
  const path = join(dataDir, FILE_NAME);
  await writeFile(`${path}.new`, `${JSON.stringify(connection)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Returns the superuser of a new cluster with a password of 192 random bits. */
export async function newConnection(): Promise<ConnectionFile> {
  return { port: await freePort(), user: 'healthd', password: randomBytes(24).toString('base64url') };
}

/** Returns the URL of one database on the embedded server. */
export function connectionUrl({ port, user, password }: ConnectionFile, database: string): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}
