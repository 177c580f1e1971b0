import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** How the embedded Postgres is reached; stored in the data directory, readable by its owner only. */
export interface ConnectionFile {
  port: number;
  user: string;
  password: string;
}

const FILE_NAME = 'postgres.json';

/** What an earlier start has stored. */
export async function readConnectionFile(dataDir: string): Promise<ConnectionFile | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, FILE_NAME), 'utf8')) as ConnectionFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file in one step, so that a kill in between leaves the old one. */
export async function writeConnectionFile(dataDir: string, connection: ConnectionFile): Promise<void> {
  const path = join(dataDir, FILE_NAME);
  await writeFile(`${path}.new`, `${JSON.stringify(connection)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** The superuser of a new cluster with a password of 192 random bits. */
export async function newConnection(): Promise<ConnectionFile> {
  return { port: await freePort(), user: 'healthd', password: randomBytes(24).toString('base64url') };
}

/** The stored port while it is free, else another. */
export async function usablePort(kept: number): Promise<number> {
  return (await bind(kept)) ?? (await freePort());
}

/** A port of the loopback address that no one listens on now. */
async function freePort(): Promise<number> {
  const port = await bind(0);
  if (port === undefined) throw new Error('no free port on the loopback address');
  return port;
}

async function bind(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}

/** The address of one database of the embedded server. */
export function connectionUrl({ port, user, password }: ConnectionFile, database: string): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}
