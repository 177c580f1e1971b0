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

/** Folder of the embedded server's files. */
export function clusterDirectoryOf(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** True if a data directory contains a cluster of any version. */
export function hasInstallation(dataDir: string): boolean {
  return existsSync(join(clusterDirectoryOf(dataDir), 'PG_VERSION'));
}

/**
 * True if the data directory contains a cluster that these binaries can read.
 * @throws EmbeddedDatabaseError `postgres_major_mismatch`
 */
export async function hasCluster(dataDir: string, binaries: PostgresBinaries): Promise<boolean> {
  const clusterDirectory = clusterDirectoryOf(dataDir);
  const found = await readFile(join(clusterDirectory, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (found === undefined) return false;
  if (Number(found) !== binaries.major) {
    throw new EmbeddedDatabaseError(
      'postgres_major_mismatch',
      `Postgres ${found.trim()} created the data directory ${dataDir}, but this healthd contains Postgres ${binaries.major}. ` +
        'To upgrade, run `healthd backup` with the old healthd, then `healthd restore` with this healthd into a new DATA_DIR.',
    );
  }
  return true;
}

/** Settings for creating a cluster and starting its server. */
export interface ClusterPlan {
  dataDir: string;
  binaries: PostgresBinaries;
  connection: ConnectionFile;
  account: Account | undefined;
  durability: Durability;
  /** Lock of the server. Every server process inherits the lock, so the next start can detect a running server. */
  lock: FileLock;
  /** Aborts and cleans up. */
  signal?: AbortSignal | undefined;
}

/** Creates the cluster under its final name only when it is complete, so that a kill never leaves a partial cluster. */
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
      // Ignores LANG, which could make the database SQL_ASCII.
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
      // Ctrl-C reaches only this process, which ends the child and cleans up.
      detached: true,
      ...account,
    });
    await ended(child, signal);
    await rename(unfinished, clusterDirectoryOf(dataDir));
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    signal?.throwIfAborted();
    const reason = lastLine(cause instanceof Error ? cause.message : String(cause));
    throw new EmbeddedDatabaseError(
      'initialisation_failed',
      `Postgres cannot set up its files in ${dataDir}: ${reason}`,
      {
        cause,
      },
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** @throws Error with the program's standard error */
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
