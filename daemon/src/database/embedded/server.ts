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
import { launch } from './launch.js';
import { adoptOrphan } from './orphan.js';
import { livingPostmaster, stopPostmaster } from './postmaster.js';
import { isAlive } from './process-identity.js';
import type { Durability } from './tuning.js';

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
  const dataDir = await ownDirectory(options.dataDir);
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

    let running = await adoptOrphan(dataDir, connection, options.onProgress);
    const adopted = running !== undefined;
    running ??= await launch({ dataDir, binaries, connection, account, durability, onProgress: options.onProgress });
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
