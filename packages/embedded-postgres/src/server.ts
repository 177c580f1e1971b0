import { constants } from 'node:fs';
import { access, chmod, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, barrierFor, postgresAccount } from './account.js';
import { answers, DATABASE, ensureDatabase } from './answering.js';
import { postgresBinaries } from './binaries.js';
import { clusterDirectoryOf, createCluster, hasCluster } from './cluster.js';
import { connectionUrl, newConnection, readConnectionFile, writeConnectionFile } from './connection-file.js';
import { lockDataDirectory } from './data-lock.js';
import { EmbeddedDatabaseError } from './errors.js';
import { type Launch, launch } from './launch.js';
import { findServer } from './orphan.js';
import { livingPostmaster, type Postmaster, stopPostmaster } from './postmaster.js';
import { supervise } from './supervise.js';
import type { Durability } from './tuning.js';

export interface EmbeddedPostgresOptions {
  dataDir: string;
  durability?: Durability;
  /** Called when the server has ended although no one asked it to and is started again, with the count of that. */
  onRestart?: (count: number) => void;
  /** Called once when the server has ended more often than it is started again. */
  onUnexpectedExit?: () => void;
  /** Called with a sentence that says what takes long. */
  onProgress?: (line: string) => void;
  /** The command that starts the server, if it ends by itself. A start waits for it. */
  command?: 'backup';
  /** Aborted while it starts: what has begun is ended, and the start rejects. */
  signal?: AbortSignal;
}

/** A running embedded server and this process' hold on its data directory. */
export interface EmbeddedPostgres {
  /** The address of the daemon's database. */
  url: string;
  port: number;
  /** Another one after a restart. */
  readonly pid: number;
  /** Release of the binaries, for example 18.4.0-beta.17. */
  release: string;
  /** True when it had outlived an earlier healthd that was killed. */
  adopted: boolean;
  /** Stops the server and lets go of the data directory. Open connections are ended. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres on the data directory, or adopts the one that a killed healthd has left running there.
 * The server is in a process group of its own: Ctrl-C reaches the daemon, which stops Postgres after its own work.
 * @throws EmbeddedDatabaseError with a line that says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durability = 'full', onProgress, signal } = options;
  const dataDir = await ownDirectory(options.dataDir);
  const lock = await lockDataDirectory(dataDir, {
    ...(options.command && { command: options.command }),
    onProgress,
    signal,
  });
  let running: Postmaster | undefined;
  try {
    const account = await postgresAccount(clusterDirectoryOf(dataDir));
    if (account !== undefined) await openForAccount(dataDir, account);
    const binaries = await postgresBinaries(dataDir, account);
    signal?.throwIfAborted();
    const isNew = !(await hasCluster(dataDir, binaries));
    const kept = await readConnectionFile(dataDir);
    if (!isNew && kept === undefined) throw passwordMissing(dataDir);
    const connection = kept ?? (await newConnection());

    const plan = { dataDir, binaries, connection, account, durability, onProgress, signal };
    const found = await findServer(plan);
    const adopted = 'running' in found;
    running = 'running' in found ? found.running : await startServer({ ...plan, lock: found.lock }, isNew);
    const reached = { ...connection, port: running.port };
    if (reached.port !== connection.port) await writeConnectionFile(dataDir, reached);
    await ensureDatabase(reached);
    signal?.throwIfAborted();

    const ending = new AbortController();
    const again = { ...plan, connection: reached, portIsFixed: true, signal: ending.signal };
    const supervisor = supervise({
      first: running,
      restart: () => restartServer(again),
      onRestart: options.onRestart,
      onGivenUp: options.onUnexpectedExit,
      onProgress,
    });
    const stop = async () => {
      ending.abort();
      await supervisor.stop();
      await stopPostmaster(supervisor.pid());
      lock.release();
    };
    let stopped: Promise<void> | undefined;
    return {
      url: connectionUrl(reached, DATABASE),
      port: reached.port,
      get pid() {
        return supervisor.pid();
      },
      release: binaries.release,
      adopted,
      stop() {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    if (running !== undefined) await stopPostmaster(running.pid);
    lock.release();
    throw error;
  }
}

/** After the end of a server: another on the same port, which all clients of the database know. */
async function restartServer(plan: Omit<Launch, 'lock'>): Promise<Postmaster> {
  const found = await findServer(plan);
  return 'running' in found ? found.running : startServer({ ...plan, lock: found.lock }, false);
}

/** Starts a server on its cluster, which is made first where there is none. From then on the server alone holds the lock. */
async function startServer(plan: Launch, isNew: boolean): Promise<Postmaster> {
  const { dataDir, binaries, connection, lock } = plan;
  try {
    if (isNew) {
      plan.onProgress?.(`Setting up a Postgres ${binaries.major} database in ${dataDir}`);
      await writeConnectionFile(dataDir, connection);
      await createCluster(plan);
    }
    return await launch(plan);
  } finally {
    lock.release();
  }
}

function passwordMissing(dataDir: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    'start_failed',
    `${join(dataDir, 'postgres.json')} with the password of the embedded database is missing. Restore it from a backup.`,
  );
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

async function ownDirectory(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      'data_directory_unreachable',
      `The data directory ${path} cannot be written (${(cause as NodeJS.ErrnoException).code}). Choose another with DATA_DIR.`,
      { cause },
    );
  }
}

async function openForAccount(dataDir: string, account: Account): Promise<void> {
  // Enter, not list: what is inside has modes of its own.
  await chmod(dataDir, 0o711);
  const barrier = await barrierFor(account, dataDir);
  if (barrier === undefined) return;
  throw new EmbeddedDatabaseError(
    'data_directory_unreachable',
    `Postgres does not run as root, and no other account may enter ${barrier}, which leads to the data directory ${dataDir}. ` +
      'Set DATA_DIR to a folder outside, such as /var/lib/healthd.',
  );
}
