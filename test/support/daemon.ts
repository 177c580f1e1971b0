import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HealthdClient } from '@healthd/client';
import { createPool } from '@healthd/daemon/platform/database';
import { isInOurNamespace, lockHolder, runningEmbeddedUrl } from '@healthd/embedded-postgres';
import type pg from 'pg';
import { atFileEnd } from './file-end.js';
import { PROGRAMS } from './programs.js';
import { setUpDatabase } from './set-up-database.js';

const START_SECONDS = 240;
const EXIT_SECONDS = 240;

/** State that outlives the service: a data directory, a home directory, and the credentials of the first start. */
export interface DaemonHome {
  folder: string;
  dataDir: string;
  /** Path of healthctl's profile. */
  profilePath: string;
  email?: string;
  password?: string;
  apiKey?: string;
}

export interface Exited {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Output and exit of a program that has ended. */
export interface Ended extends Exited {
  stdout: string;
  stderr: string;
}

/** The service as a separate process on its own port. */
export interface Daemon {
  url: string;
  email: string;
  password: string;
  apiKey: string;
  client: HealthdClient;
  home: DaemonHome;
  pid: number;
  /** All output so far. */
  readonly output: { stdout: string; stderr: string };
  /** Resolves when the service ends, expectedly or not. */
  readonly ended: Promise<Exited>;
  /** Stops the service as a service manager does. */
  stop(): Promise<Exited>;
  /** Sends Ctrl-C as a terminal does, to the whole process group. */
  interrupt(): Promise<Exited>;
  kill9(): Promise<Exited>;
}

export interface DaemonOptions {
  /** Settings that override the test defaults: a free port, no metrics, no variables from the tests' environment. */
  env?: Record<string, string>;
  /** Home of an earlier run, to start the same installation again. Default: a new home. */
  home?: DaemonHome;
  /** True to let the start set up the database. Otherwise it gets a copy of a migrated empty database. */
  fromNothing?: boolean;
  args?: string[];
  /**
   * A command that starts the program, such as IN_CONTAINER of container.ts. Signals and `pid` then belong to that
   * command.
   */
  within?: readonly string[];
}

const homes = new Set<DaemonHome>();
const running = new Set<ChildProcess>();

/** Creates an empty home for one installation. It is removed after the file's tests. */
export function newHome(): DaemonHome {
  // The name has the pattern of the folders in test/support/postgres-server.ts, so that the next run removes leftovers
  // of a killed run.
  const folder = mkdtempSync(join(tmpdir(), `healthd-tests-${process.pid}-`));
  // As root, Postgres runs under another account, which must be able to reach its folder.
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, 'home'));
  const profilePath = join(folder, 'home', '.config', 'healthctl', 'config.json');
  const home = { folder, dataDir: join(folder, 'data'), profilePath };
  homes.add(home);
  atFileEnd(removeLeftovers);
  return home;
}

/** A starting service, for tests that interrupt the start. */
export interface Beginning {
  readonly output: Daemon['output'];
  /** Sends Ctrl-C as a terminal does, to the whole process group. */
  interrupt(): void;
  kill9(): void;
  readonly ended: Promise<Exited>;
}

/** Starts the built service without waiting. */
export function launchDaemon(options: DaemonOptions & { home: DaemonHome }): Beginning {
  const { child, output, ended } = launchHealthd(options.home, options.args ?? [], options.env, options.within);
  const signal = (name: NodeJS.Signals, target: number) => void (running.has(child) && process.kill(target, name));
  const pid = child.pid ?? 0;
  return {
    output,
    interrupt: () => signal('SIGINT', -pid),
    kill9: () => signal('SIGKILL', pid),
    ended: inTime(EXIT_SECONDS, ended, 'the service does not end'),
  };
}

/** Starts the built service and waits until it reports that it is ready. */
export async function startDaemon(options: DaemonOptions = {}): Promise<Daemon> {
  const home = options.home ?? newHome();
  if (!options.fromNothing && !existsSync(home.dataDir) && options.env?.DATABASE_URL === undefined)
    await setUpDatabase(home.dataDir);
  const { child, output, ended } = launchHealthd(home, options.args ?? [], options.env, options.within);
  const url = await readyAt(output, ended);
  home.email = /^ {2}Account {3}(\S+)/m.exec(output.stdout)?.[1] ?? home.email;
  home.password = /^ {2}Password {2}(\S+)/m.exec(output.stdout)?.[1] ?? options.env?.ADMIN_PASSWORD ?? home.password;
  home.apiKey = /^ {2}API key {3}(\S+)/m.exec(output.stdout)?.[1] ?? home.apiKey;
  const { email = '', password = '', apiKey = '' } = home;
  const authorize = async () => ({ 'X-Service-API-Key': apiKey });
  const pid = child.pid ?? 0;
  const end = async (signal: NodeJS.Signals, target: number) => {
    if (running.has(child)) process.kill(target, signal);
    const exited = await inTime(EXIT_SECONDS, ended, `the service does not end after ${signal}`);
    // One-time secrets appear on standard output. They must never appear in the log on standard error.
    for (const secret of [password, apiKey]) {
      if (secret !== '' && output.stderr.includes(secret)) throw new Error("the service's log contains a secret");
    }
    return exited;
  };
  return {
    url,
    email,
    password,
    apiKey,
    home,
    pid,
    output,
    ended,
    client: new HealthdClient({ baseUrl: url, authorize }),
    stop: () => end('SIGTERM', pid),
    interrupt: () => end('SIGINT', -pid),
    kill9: () => end('SIGKILL', pid),
  };
}

/** Runs the program with these arguments until it ends: a command, or a start that must fail. */
export async function runHealthd(
  home: DaemonHome,
  args: string[],
  env: Record<string, string> = {},
  seconds = EXIT_SECONDS,
  wrapper: readonly string[] = [],
): Promise<Ended> {
  const { output, ended } = launchHealthd(home, args, env, wrapper);
  const exited = await inTime(seconds, ended, `healthd ${args.join(' ')} does not end`);
  return { ...exited, ...output };
}

/** Opens the embedded database of a running service. */
export async function inDatabase<T>(home: DaemonHome, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const url = await runningEmbeddedUrl(home.dataDir);
  if (url === undefined) throw new Error('no database runs in this data directory');
  const pool = createPool({ url, max: 2, applicationName: 'healthd test' });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Returns the process ID of this data directory's Postgres. Undefined if Postgres is not running, or if it runs in a
 * container, whose process IDs are meaningless here.
 */
export function postgresPid(home: DaemonHome): number | undefined {
  const holder = lockHolder(join(home.dataDir, 'postgres.lock'));
  if (holder !== undefined && !isInOurNamespace(holder)) return undefined;
  const pid = Number(firstLineOf(join(home.dataDir, 'postgres', 'postmaster.pid')));
  return pid > 0 && isAlive(pid) ? pid : undefined;
}

/** Kills the Postgres that a killed service left running, as a machine failure would. */
export async function killPostgres(home: DaemonHome): Promise<void> {
  const pid = postgresPid(home);
  if (pid === undefined) return;
  process.kill(pid, 'SIGQUIT');
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Starts the program with these arguments, for a test that watches or kills it. */
export function launchHealthd(
  home: DaemonHome,
  args: string[],
  env: Record<string, string> = {},
  within: readonly string[] = [],
) {
  if (!existsSync(PROGRAMS.healthd)) throw new Error('the service is not built: npm run build');
  const { PATH = '' } = process.env;
  const [command, ...rest] = [...within, process.execPath, PROGRAMS.healthd, ...args] as [string, ...string[]];
  const child = spawn(command, rest, {
    cwd: home.folder,
    env: {
      PATH,
      HOME: join(home.folder, 'home'),
      TMPDIR: tmpdir(),
      NODE_ENV: 'test',
      DATA_DIR: home.dataDir,
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, as a shell creates for each command.
    detached: true,
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]): Exited => {
    running.delete(child);
    return { code, signal };
  });
  return { child, output, ended };
}

async function readyAt(output: Daemon['output'], ended: Promise<Exited>): Promise<string> {
  let end: Exited | undefined;
  void ended.then((exited) => {
    end = exited;
  });
  const until = Date.now() + START_SECONDS * 1000;
  for (;;) {
    // The announcement is one write. It is complete when its line about the jobs has arrived.
    if (/^healthd .*is ready/m.test(output.stdout) && /^ {2}Jobs .*\n/m.test(output.stdout)) break;
    if (end || Date.now() > until) {
      const what = end ? `ended with ${end.signal ?? end.code}` : 'does not become ready';
      throw new Error(`the service ${what}:\n${output.stdout}${output.stderr}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const port = /^ {2}(?:API|Probes) +http:\/\/[^:]+:(\d+)/m.exec(output.stdout)?.[1];
  return `http://127.0.0.1:${port}`;
}

async function inTime<T>(seconds: number, work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${message} within ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function firstLineOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').split('\n')[0] ?? '';
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Stops and removes everything that this file started. Synchronous, so that it also works when the tests are
 * interrupted.
 */
function removeLeftovers(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const home of homes) {
    const postgres = postgresPid(home);
    if (postgres !== undefined) process.kill(postgres, 'SIGQUIT');
    rmSync(home.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
  homes.clear();
}

process.once('exit', removeLeftovers);
