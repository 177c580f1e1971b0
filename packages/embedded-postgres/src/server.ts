import { constants } from 'node:fs';
import { access, chmod, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, barrierFor, postgresAccount } from './account.js';
import { answers, DATABASE, ensureDatabase } from './wait-until-ready.js';
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
  /** Called when the server ended unexpectedly and is restarted, with the number of restarts. */
  onRestart?: (count: number) => void;
  /** Called once when the server has ended too often to be restarted again. */
  onUnexpectedExit?: () => void;
  /** Receives a sentence about a slow step. */
  onProgress?: (line: string) => void;
  /** Name of the command that starts the server, if the command ends on its own. A starting service waits for it. */
  command?: 'backup';
  /** Aborts a start: stops everything that was started and rejects. */
  signal?: AbortSignal;
}

/** A running embedded server and this process's lock on its data directory. */
export interface EmbeddedPostgres {
  /** URL of the daemon's database. */
  url: string;
  port: number;
  /** Changes after a restart. */
  readonly pid: number;
  /** Release of the binaries, for example 18.4.0-beta.17. */
  release: string;
  /** True if a killed healthd had left it running. */
  adopted: boolean;
  /** Stops the server and unlocks the data directory. Ends open connections. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres on the data directory, or adopts the server that a killed healthd left running there. The server has
 * a separate process group, so Ctrl-C reaches only the daemon, which stops Postgres after its own work.
 * @throws EmbeddedDatabaseError with a line about what to do
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
    const storedConnection = await readConnectionFile(dataDir);
    if (!isNew && storedConnection === undefined) throw passwordMissing(dataDir);
    const connection = storedConnection ?? (await newConnection());

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
      onAbandoned: options.onUnexpectedExit,
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

/** Restarts an ended server on the same port, which all clients use. */
async function restartServer(plan: Omit<Launch, 'lock'>): Promise<Postmaster> {
  const found = await findServer(plan);
  return 'running' in found ? found.running : startServer({ ...plan, lock: found.lock }, false);
}

/** Starts a server, and creates its cluster first if `isNew`. From then on only the server holds the lock. */
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
    `${join(dataDir, 'postgres.json')}, which contains the password of the embedded database, is missing. Restore it from a backup.`,
  );
}

/** Returns the database URL of a running embedded server, for commands next to a running daemon. */
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
      `Cannot write to the data directory ${path} (${(cause as NodeJS.ErrnoException).code}). Set DATA_DIR to a directory that this user can write to.`,
      { cause },
    );
  }
}

async function openForAccount(dataDir: string, account: Account): Promise<void> {
  // The account may enter the folder but not list it. The files in it have their own modes.
  await chmod(dataDir, 0o711);
  const barrier = await barrierFor(account, dataDir);
  if (barrier === undefined) return;
  throw new EmbeddedDatabaseError(
    'data_directory_unreachable',
    `Postgres cannot run as root, and other users cannot enter ${barrier}, which contains the data directory ${dataDir}. ` +
      'Set DATA_DIR to a directory elsewhere, such as /var/lib/healthd.',
  );
}
