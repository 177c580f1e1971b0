import { spawn } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClusterPlan, clusterDirectoryOf } from './cluster.js';
import { EmbeddedDatabaseError } from './errors.js';
import { freePort } from './free-port.js';
import { type Postmaster, readPostmaster, stopPostmaster } from './postmaster.js';
import { postgresEnvironment } from './spawn-environment.js';
import { serverSettings } from './tuning.js';

/** Time limit of a start. Recovery after a crash replays up to max_wal_size, which takes minutes on a slow disk. */
const START_DEADLINE_SECONDS = 600;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/** Settings for starting a server. */
export interface Launch extends ClusterPlan {
  onProgress?: ((line: string) => void) | undefined;
  /** True if the port must not change, because the service already uses it. */
  portIsFixed?: boolean;
}

/**
 * Starts a server and waits until it accepts connections. Uses another port if the stored port is in use or is in the
 * range for outgoing connections.
 * @throws EmbeddedDatabaseError `start_failed` with the server's own reason
 */
export async function launch(start: Launch): Promise<Postmaster> {
  const { dataDir } = start;
  for (let attempt = 1; ; attempt++) {
    const formerPort = start.connection.port;
    const port = start.portIsFixed ? formerPort : await freePort(attempt === 1 ? formerPort : undefined);
    const started = await launchOnPort(start, port);
    if (typeof started !== 'string') return started;
    const portTaken = started.includes('Address already in use') || started.includes('Is another postmaster');
    if (attempt < 3 && portTaken && !start.portIsFixed) continue;
    throw new EmbeddedDatabaseError('start_failed', `Postgres failed to start: ${started} (see ${logPath(dataDir)})`);
  }
}

/** Returns the running server, or the reason why it ended. */
async function launchOnPort(start: Launch, port: number): Promise<Postmaster | string> {
  const { dataDir, account } = start;
  const settings = serverSettings(port, start.durability);
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await openLog(dataDir);
  const logStart = (await log.stat()).size;
  const child = spawn(start.binaries.postgres, ['-D', clusterDirectoryOf(dataDir), ...flags], {
    cwd: dataDir,
    env: postgresEnvironment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd, start.lock.fd],
    ...account,
  });
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', (code, signal) => {
    failure ??= `the process ended with ${signal ?? `code ${code}`}`;
  });
  child.unref();
  await log.close();

  const startedMs = Date.now();
  let nextReport = startedMs + 5000;
  for (;;) {
    if (failure !== undefined) return (await firstFatalLine(dataDir, logStart)) ?? failure;
    const postmaster = await readPostmaster(dataDir);
    if (postmaster?.pid === child.pid && postmaster?.status === 'ready') return postmaster;
    if (start.signal?.aborted) {
      if (child.pid !== undefined) await stopPostmaster(child.pid);
      throw start.signal.reason;
    }
    if (Date.now() - startedMs > START_DEADLINE_SECONDS * 1000) return `not ready after ${START_DEADLINE_SECONDS} s`;
    if (Date.now() > nextReport) {
      start.onProgress?.('Postgres is still starting, because it is recovering from a crash');
      nextReport += 5000;
    }
    await sleep(15);
  }
}

function logPath(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}

async function openLog(dataDir: string) {
  const path = logPath(dataDir);
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(path, `${path}.1`);
  return open(path, 'a', 0o600);
}

async function firstFatalLine(dataDir: string, from: number): Promise<string | undefined> {
  const written = (await readFile(logPath(dataDir))).subarray(from).toString('utf8').split('\n');
  const portError = written.find((line) => /could not bind|Address already in use/.test(line));
  return (portError ?? written.find((line) => /FATAL|PANIC|error while loading/.test(line)))?.trim();
}
