import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterDirectoryOf } from './cluster.js';
import { commandLine, isAlive } from './process-identity.js';

const STOP_DEADLINE_SECONDS = 30;

/** A server process of a cluster, as described by its pid file. */
export interface Postmaster {
  pid: number;
  port: number;
  status: 'starting' | 'ready' | 'stopping' | 'unknown';
}

/** Reads the pid file; undefined if the file is missing or incomplete. */
export async function readPostmaster(dataDir: string): Promise<Postmaster | undefined> {
  const text = await readFile(pidFile(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const word = lines[7] ?? '';
  const status = word === 'ready' || word === 'starting' || word === 'stopping' ? word : 'unknown';
  return { pid, port: Number.parseInt(lines[3] ?? '', 10) || 0, status };
}

/**
 * Returns the running server of this data directory, whichever process started it; undefined for a server in another
 * process namespace.
 */
export async function livingPostmaster(dataDir: string): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(dataDir);
  if (postmaster === undefined) return undefined;
  return isAlive(postmaster.pid) && (await commandLine(postmaster.pid)).includes('postgres') ? postmaster : undefined;
}

/**
 * Removes the pid file of a killed server. Otherwise Postgres does not start if another program now has that process
 * id. Only call it with the server's lock, which alone proves that no server is alive.
 */
export async function removePidFile(dataDir: string): Promise<void> {
  await rm(pidFile(dataDir), { force: true });
}

/**
 * Stops a server with a fast shutdown, which ends sessions and writes a checkpoint. After the deadline, uses an
 * immediate shutdown, which requires recovery at the next start.
 */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    const deadline = Date.now() + STOP_DEADLINE_SECONDS * 1000;
    while (isAlive(pid) && Date.now() < deadline) await sleep(20);
  }
}

function pidFile(dataDir: string): string {
  return join(clusterDirectoryOf(dataDir), 'postmaster.pid');
}
