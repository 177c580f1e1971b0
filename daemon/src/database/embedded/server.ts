import { spawn } from 'node:child_process';
import { chmod, mkdir, open, readFile, realpath, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Account, barrierFor, postgresAccount } from './account.js';
import { type PostgresBinaries, postgresBinaries } from './binaries.js';
import { clusterDirectoryOf, createCluster, hasCluster } from './cluster.js';
import {
  type ConnectionFile,
  connectionUrl,
  newConnection,
  readConnectionFile,
  usablePort,
  writeConnectionFile,
} from './connection-file.js';
import { lockDataDirectory } from './data-lock.js';
import { EmbeddedDatabaseError } from './errors.js';
import { livingPostmaster, type Postmaster, readPostmaster } from './postmaster.js';
import { isAlive } from './process-identity.js';
import { postgresEnvironment } from './spawn-environment.js';
import { type Durability, serverSettings } from './tuning.js';

const DATABASE = 'healthd';
/** Recovery after a crash replays up to max_wal_size; a slow disk needs minutes for that. */
const START_DEADLINE_SECONDS = 600;
const STOP_DEADLINE_SECONDS = 30;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

export interface EmbeddedPostgresOptions {
  dataDir: string;
  durability?: Durability;
  /** Told once when the server has ended although nobody asked it to. */
  onUnexpectedExit?: () => void;
  /** Told in a sentence what takes long. */
  onProgress?: (line: string) => void;
}

/** A running embedded server and this process' hold on its data directory. */
export interface EmbeddedPostgres {
  /** The address of the daemon's database. */
  url: string;
  port: number;
  pid: number;
  /** Release of the binaries, for example 18.4.0-beta.17. */
  release: string;
  /** True when it had outlived an earlier healthd that was killed. */
  adopted: boolean;
  /** Stops the server and lets go of the data directory. Open connections are ended. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres on the data directory, or adopts the one that a killed healthd has left running there.
 * The server stands in a process group of its own: Ctrl-C reaches the daemon, which stops Postgres after its own work.
 * @throws EmbeddedDatabaseError with a line that says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durability = 'full' } = options;
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  const lock = await lockDataDirectory(dataDir);
  try {
    const account = await postgresAccount(clusterDirectoryOf(dataDir));
    if (account !== undefined) await openForAccount(dataDir, account);
    const binaries = await postgresBinaries(dataDir, account);
    let connection = await readConnectionFile(dataDir);
    if (!(await hasCluster(dataDir, binaries))) {
      options.onProgress?.(`Setting up a Postgres ${binaries.major} database in ${dataDir}`);
      connection = await newConnection();
      await writeConnectionFile(dataDir, connection);
      await createCluster(dataDir, binaries, connection, account, durability);
    }
    if (connection === undefined) {
      throw new EmbeddedDatabaseError(
        'start_failed',
        `${join(dataDir, 'postgres.json')} with the password of the embedded database is missing. Restore it from a backup.`,
      );
    }

    let running = await answeringOrphan(dataDir, connection, options);
    const adopted = running !== undefined;
    running ??= await launch(dataDir, binaries, connection, account, options);
    const reached = { ...connection, port: running.port };
    if (reached.port !== connection.port) await writeConnectionFile(dataDir, reached);
    await ensureDatabase(reached);

    const { pid, port } = running;
    const watch = setInterval(() => {
      if (isAlive(pid)) return;
      clearInterval(watch);
      options.onUnexpectedExit?.();
    }, 1000);
    watch.unref();
    const stop = async () => {
      clearInterval(watch);
      await stopPostmaster(pid);
      await lock.release();
    };
    let stopped: Promise<void> | undefined;
    return {
      url: connectionUrl(reached, DATABASE),
      port,
      pid,
      release: binaries.release,
      adopted,
      stop() {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The database address of an embedded server that runs now, for commands beside a running daemon. */
export async function runningEmbeddedUrl(dataDirectory: string): Promise<string | undefined> {
  const dataDir = await realpath(dataDirectory).catch(() => undefined);
  if (dataDir === undefined) return undefined;
  const connection = await readConnectionFile(dataDir);
  const postmaster = await livingPostmaster(dataDir);
  if (connection === undefined || postmaster === undefined) return undefined;
  const reached = { ...connection, port: postmaster.port };
  return (await answers(reached, dataDir)) ? connectionUrl(reached, DATABASE) : undefined;
}

async function openForAccount(dataDir: string, account: Account): Promise<void> {
  // Enter, not list: what lies inside has modes of its own.
  await chmod(dataDir, 0o711);
  const barrier = await barrierFor(account, dataDir);
  if (barrier === undefined) return;
  throw new EmbeddedDatabaseError(
    'data_directory_unreachable',
    `Postgres does not run as root, and no other account may enter ${barrier}, which leads to the data directory ${dataDir}. ` +
      'Set DATA_DIR to a folder outside, such as /var/lib/healthd.',
  );
}

async function answeringOrphan(
  dataDir: string,
  connection: ConnectionFile,
  options: EmbeddedPostgresOptions,
): Promise<Postmaster | undefined> {
  const deadline = Date.now() + START_DEADLINE_SECONDS * 1000;
  for (let found = await livingPostmaster(dataDir); found !== undefined; found = await livingPostmaster(dataDir)) {
    const reached = { ...connection, port: found.port };
    if (found.status === 'ready') {
      if (await answers(reached, dataDir)) return found;
      // A second try: it may have been about to stop.
      await sleep(500);
      if (isAlive(found.pid) && (await readPostmaster(dataDir))?.status === 'ready') {
        if (await answers(reached, dataDir)) return found;
        break;
      }
    }
    if (Date.now() > deadline) break;
    options.onProgress?.(`Waiting for Postgres (process ${found.pid}), which is ${found.status}`);
    await sleep(found.status === 'stopping' ? 100 : 500);
  }
  const silent = await livingPostmaster(dataDir);
  if (silent === undefined) return undefined;
  throw new EmbeddedDatabaseError(
    'unresponsive',
    `A Postgres (process ${silent.pid}) runs on the data directory ${dataDir} but does not answer. End that process and start again.`,
  );
}

async function launch(
  dataDir: string,
  binaries: PostgresBinaries,
  connection: ConnectionFile,
  account: Account | undefined,
  options: EmbeddedPostgresOptions,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const port = await usablePort(attempt === 1 ? connection.port : 0);
    const started = await launchOnPort(dataDir, binaries, port, account, options);
    if (typeof started !== 'string') return started;
    const portTaken = started.includes('Address already in use') || started.includes('Is another postmaster');
    if (attempt < 3 && portTaken) continue;
    throw new EmbeddedDatabaseError('start_failed', `Postgres could not start: ${started} (see ${logPath(dataDir)})`);
  }
}

/** The running server, or why it ended. */
async function launchOnPort(
  dataDir: string,
  binaries: PostgresBinaries,
  port: number,
  account: Account | undefined,
  options: EmbeddedPostgresOptions,
): Promise<Postmaster | string> {
  const settings = serverSettings(port, options.durability ?? 'full');
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await openLog(dataDir);
  const logStart = (await log.stat()).size;
  const child = spawn(binaries.postgres, ['-D', clusterDirectoryOf(dataDir), ...flags], {
    cwd: dataDir,
    env: postgresEnvironment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...account,
  });
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', (code, signal) => {
    failure ??= `it ended with ${signal ?? `code ${code}`}`;
  });
  child.unref();
  await log.close();

  const begun = Date.now();
  let nextReport = begun + 5000;
  for (;;) {
    if (failure !== undefined) return (await firstFatalLine(dataDir, logStart)) ?? failure;
    const postmaster = await readPostmaster(dataDir);
    if (postmaster?.pid === child.pid && postmaster?.status === 'ready') return postmaster;
    if (Date.now() - begun > START_DEADLINE_SECONDS * 1000) return `not ready after ${START_DEADLINE_SECONDS} s`;
    if (Date.now() > nextReport) {
      options.onProgress?.('Postgres is still starting (it repairs itself after a crash)');
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
  const telling = written.find((line) => /could not bind|Address already in use/.test(line));
  return (telling ?? written.find((line) => /FATAL|PANIC|error while loading/.test(line)))?.trim();
}

/** Whether the server lets us in and is the one of this data directory. */
async function answers(connection: ConnectionFile, dataDir: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: connectionUrl(connection, 'postgres'),
    connectionTimeoutMillis: 3000,
    query_timeout: 3000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ directory: string }>("select current_setting('data_directory') as directory");
    return rows[0]?.directory === clusterDirectoryOf(dataDir);
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(connection: ConnectionFile): Promise<void> {
  const client = new pg.Client({ connectionString: connectionUrl(connection, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Fast shutdown, which ends sessions and writes a checkpoint; after the deadline the kind that needs recovery. */
async function stopPostmaster(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    const deadline = Date.now() + STOP_DEADLINE_SECONDS * 1000;
    while (isAlive(pid) && Date.now() < deadline) await sleep(20);
  }
}
