import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answers } from './wait-until-ready.js';
import type { ConnectionFile } from './connection-file.js';
import { EmbeddedDatabaseError } from './errors.js';
import { type FileLock, lockHolder, tryFileLock } from './file-lock.js';
import { holderText, isInOurNamespace, type LockHolder } from './lock-holder.js';
import { livingPostmaster, type Postmaster, readPostmaster, removePidFile, stopPostmaster } from './postmaster.js';
import { isAlive } from './process-identity.js';

/** Maximum wait for a server that is recovering, or stopping after an unfinished shutdown. */
const PATIENCE_SECONDS = 600;
/**
 * Maximum wait for a lock without a pid file. The last processes of a killed server, or an interrupted set-up, hold the
 * lock for a while.
 */
const LEFTOVER_PATIENCE_SECONDS = 30;
/** Maximum wait for a server in another container. A killed container ends its processes within moments. */
const ELSEWHERE_PATIENCE_SECONDS = 5;
const POLL_MS = 100;

export interface ServerSearch {
  dataDir: string;
  connection: ConnectionFile;
  /** Receives a sentence that names the awaited process. */
  onProgress?: ((line: string) => void) | undefined;
  /** Aborts the search. */
  signal?: AbortSignal | undefined;
}

/** A running server to adopt, or the lock that a new server must inherit. */
export type FoundServer = { running: Postmaster } | { lock: FileLock };

/**
 * Finds the server that a killed healthd left running on this data directory, as soon as it accepts connections. Every
 * server process holds the lock of `postgres.lock`. If the lock is free, no such process is alive, even in other
 * process namespaces. Then acquires the lock and removes a stale pid file. Call with the data directory locked.
 * @throws EmbeddedDatabaseError `unresponsive`; `data_directory_in_use` for a server in another process namespace
 */
export async function findServer(search: ServerSearch): Promise<FoundServer> {
  const { dataDir, onProgress, signal } = search;
  const path = join(dataDir, 'postgres.lock');
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const lock = await tryFileLock(path);
    if (lock !== undefined) {
      await endUnlockedServer(search).catch((error: unknown) => {
        lock.release();
        throw error;
      });
      await removePidFile(dataDir);
      return { lock };
    }
    const holder = lockHolder(path);
    const isElsewhere = holder !== undefined && !isInOurNamespace(holder);
    const running = isElsewhere ? undefined : await waitUntilReady(search);
    if (running !== undefined) return { running };
    const patienceSeconds = isElsewhere ? ELSEWHERE_PATIENCE_SECONDS : LEFTOVER_PATIENCE_SECONDS;
    if (waitedMs > patienceSeconds * 1000) throw leftover(dataDir, holder);
    if (waitedMs === 0) onProgress?.('Waiting for the Postgres of a killed healthd to stop');
    await sleep(POLL_MS, undefined, { signal });
  }
}

/**
 * Stops a server that an earlier version or a user started without the lock, because a healthd in another container
 * could not detect the server.
 */
async function endUnlockedServer(search: ServerSearch): Promise<void> {
  const running = await waitUntilReady(search);
  if (running === undefined) return;
  const { dataDir, onProgress } = search;
  onProgress?.(
    `Restarting Postgres (process ${running.pid}), because it does not hold the lock ${join(dataDir, 'postgres.lock')}`,
  );
  await stopPostmaster(running.pid);
}

/**
 * Returns the server in this process namespace, as soon as it accepts connections; undefined if no server is running.
 */
async function waitUntilReady(search: ServerSearch): Promise<Postmaster | undefined> {
  const { dataDir, connection, onProgress, signal } = search;
  const deadline = Date.now() + PATIENCE_SECONDS * 1000;
  for (let found = await livingPostmaster(dataDir); found !== undefined; found = await livingPostmaster(dataDir)) {
    const reached = { ...connection, port: found.port };
    if (found.status === 'ready') {
      if (await answers(reached, dataDir)) return found;
      // Second attempt, because the server may have been about to stop.
      await sleep(500, undefined, { signal });
      if (isAlive(found.pid) && (await readPostmaster(dataDir))?.status === 'ready') {
        if (await answers(reached, dataDir)) return found;
        break;
      }
    }
    if (Date.now() > deadline) break;
    onProgress?.(`Waiting for Postgres (process ${found.pid}), which is ${found.status}`);
    await sleep(found.status === 'stopping' ? 100 : 500, undefined, { signal });
  }
  const silent = await livingPostmaster(dataDir);
  if (silent === undefined) return undefined;
  throw new EmbeddedDatabaseError(
    'unresponsive',
    `Postgres (process ${silent.pid}) is running on the data directory ${dataDir}, but does not respond. Stop the process, then start healthd again.`,
  );
}

function leftover(dataDir: string, holder: LockHolder | undefined): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    'data_directory_in_use',
    `The Postgres of a killed healthd (${holderText(holder)}) is using the data directory ${dataDir}. ` +
      'Stop its container or its Postgres processes, then start healthd again.',
  );
}
