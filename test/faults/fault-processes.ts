import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PROGRAMS } from '../support/programs.js';

const START_LIMIT_MS = 180_000;

/** One process of the built service, restarted with the same settings after each exit. */
export class FaultProcess {
  /** Number of kills while the process was up. */
  kills = 0;
  /** Output of unexpected exits. A process must survive every fault except its own kill. */
  readonly endedAlone: string[] = [];
  private child: ChildProcess | undefined;
  private starting: Promise<void> | undefined;
  private output = '';

  constructor(
    readonly role: 'api' | 'worker' | 'all',
    private readonly env: Record<string, string>,
  ) {}

  /** URL of an API process; undefined while it is down. */
  url: string | undefined;
  /** API key that the very first start printed, if this process was that start. */
  apiKey: string | undefined;

  get isUp(): boolean {
    return this.child !== undefined && this.starting === undefined;
  }

  /** True if the process is neither up nor starting. */
  get isIdle(): boolean {
    return this.child === undefined && this.starting === undefined;
  }

  start(): Promise<void> {
    this.starting ??= this.launch().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** Kills the process immediately, in the middle of its work. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    this.child = undefined;
    this.url = undefined;
    this.kills++;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Repeats a start that failed because of a fault, like a service manager. */
  private async launch(): Promise<void> {
    const until = Date.now() + START_LIMIT_MS;
    while (!(await this.launchOnce())) {
      if (Date.now() > until) throw new Error(`a process does not start: ${this.output}`);
    }
  }

  /** False if the process ended before it was ready. */
  private async launchOnce(): Promise<boolean> {
    this.output = '';
    const child = spawn(process.execPath, [PROGRAMS.healthd, '--role', this.role], {
      env: { PATH: process.env.PATH ?? '', HOME: this.env.DATA_DIR ?? '/', ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const hear = (text: string) => {
      this.output = (this.output + text).slice(-20_000);
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    const until = Date.now() + START_LIMIT_MS;
    child.once('exit', () => {
      if (this.child !== child) return;
      this.child = undefined;
      this.url = undefined;
      this.endedAlone.push(this.output);
    });
    while (!/ is ready \(/.test(this.output) || (this.role !== 'worker' && !/API +http/.test(this.output))) {
      if (child.exitCode !== null || child.signalCode !== null) return false;
      if (Date.now() > until) throw new Error(`a process does not become ready: ${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    // The process may have ended right after it reported that it was ready.
    if (child.exitCode !== null || child.signalCode !== null) return false;
    this.child = child;
    const port = /API +http:\/\/[^:]+:(\d+)/.exec(this.output)?.[1];
    this.url = port === undefined ? undefined : `http://127.0.0.1:${port}`;
    this.apiKey ??= / {2}API key {3}(\S+)/.exec(this.output)?.[1];
    return true;
  }
}

/** Returns settings of processes that share one database, and MongoDB if available. */
export function faultEnvironment(
  databaseUrl: string,
  folder: string,
  mongodbUri: string | undefined,
): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'fatal',
    SECRET_KEY: 'a secret of the fault tests',
    SIGNING_KEY: 'x'.repeat(48),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    // The inbox is so small that it fills up while no worker is running.
    PUSH_INBOX_MAX_BYTES: '1000000',
    ...(mongodbUri === undefined ? {} : { MONGODB_URI: mongodbUri }),
  };
}
