import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.js';
import type { PostgresBinaries } from './binaries.js';
import type { ConnectionFile } from './connection-file.js';
import { EmbeddedDatabaseError } from './errors.js';
import type { FileLock } from './file-lock.js';
import { postgresEnvironment } from './spawn-environment.js';
import type { Durability } from './tuning.js';

/** Where the embedded server keeps its files. */
export function clusterDirectoryOf(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** Whether a data directory holds a cluster of any version. */
export function hasInstallation(dataDir: string): boolean {
  return existsSync(join(clusterDirectoryOf(dataDir), 'PG_VERSION'));
}

/**
 * Whether the data directory holds a cluster that these binaries can read.
 * @throws EmbeddedDatabaseError `postgres_major_mismatch`
 */
export async function hasCluster(dataDir: string, binaries: PostgresBinaries): Promise<boolean> {
  const clusterDirectory = clusterDirectoryOf(dataDir);
  const found = await readFile(join(clusterDirectory, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (found === undefined) return false;
  if (Number(found) !== binaries.major) {
    throw new EmbeddedDatabaseError(
      'postgres_major_mismatch',
      `The data directory ${dataDir} was made by Postgres ${found.trim()}; this healthd brings Postgres ${binaries.major}. ` +
        'Run `healthd backup` with the healthd that made it and `healthd restore` with this one into a new DATA_DIR.',
    );
  }
  return true;
}

/** What a cluster is made of and its server is started with. */
export interface ClusterPlan {
  dataDir: string;
  binaries: PostgresBinaries;
  connection: ConnectionFile;
  account: Account | undefined;
  durability: Durability;
  /** The lock of the server. Every process inherits it, so the next start can see whether one of them is alive. */
  lock: FileLock;
  /** Ends what has begun. */
  signal?: AbortSignal | undefined;
}

/**
 * Makes the cluster. It appears under its name only when it is whole: a kill in between leaves nothing that a later
 * start would take for a cluster.
 */
export async function createCluster({
  dataDir,
  binaries,
  connection,
  account,
  durability,
  lock,
  signal,
}: ClusterPlan): Promise<void> {
  const unfinished = `${clusterDirectoryOf(dataDir)}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await claimFolder(unfinished, account);
  const passwordFile = join(dataDir, 'postgres.password');
  await writeFile(passwordFile, connection.password, { mode: 0o600 });
  try {
    if (account !== undefined) await chown(passwordFile, account.uid, account.gid);
    signal?.throwIfAborted();
    const flags = [
      `--pgdata=${unfinished}`,
      `--username=${connection.user}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      // Not what LANG says: without it the database would be SQL_ASCII.
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(durability === 'none' ? ['--no-sync'] : []),
    ];
    const child = spawn(binaries.initdb, flags, {
      env: postgresEnvironment(),
      cwd: dataDir,
      stdio: ['ignore', 'ignore', 'pipe', lock.fd],
      // Ctrl-C reaches this process only, which ends it and clears away after it.
      detached: true,
      ...account,
    });
    await ended(child, signal);
    await rename(unfinished, clusterDirectoryOf(dataDir));
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    signal?.throwIfAborted();
    const reason = lastLine(cause instanceof Error ? cause.message : String(cause));
    throw new EmbeddedDatabaseError('initialisation_failed', `Postgres could not set up ${dataDir}: ${reason}`, {
      cause,
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** @throws Error with what the program wrote to its standard error */
async function ended(child: ChildProcess, signal: AbortSignal | undefined): Promise<void> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const end = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', end, { once: true });
  await once(child, 'close');
  signal?.removeEventListener('abort', end);
  signal?.throwIfAborted();
  if (child.exitCode === 0) return;
  throw new Error(stderr.trim() || `initdb ended with ${child.signalCode ?? `code ${child.exitCode}`}`);
}

async function claimFolder(path: string, account: Account | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (account !== undefined) await chown(path, account.uid, account.gid);
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => /error|fatal|could not|cannot/i.test(line));
  return (lines[0] ?? text.trim().split('\n').at(-1) ?? '').trim();
}
