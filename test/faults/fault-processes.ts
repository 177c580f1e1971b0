import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PROGRAMS } from '../support/programs.js';

const START_LIMIT_MS = 180_000;

/** One process of the built service, started again under the same settings after each of its deaths. */
export class FaultProcess {
  /** How often it was killed while it was up. */
  kills = 0;
  /** What it said whenever it ended without being killed; a process must survive every fault but its own death. */
  readonly endedAlone: string[] = [];
  private child: ChildProcess | undefined;
  private starting: Promise<void> | undefined;
  private output = '';

  constructor(
    readonly role: 'api' | 'worker' | 'all',
    private readonly env: Record<string, string>,
  ) {}

  /** Address of an API process; undefined while it is down. */
  url: string | undefined;
  /** The key that the first start of all printed, if it was this one. */
  apiKey: string | undefined;

  get isUp(): boolean {
    return this.child !== undefined && this.starting === undefined;
  }

  /** Neither up nor being started. */
  get isIdle(): boolean {
    return this.child === undefined && this.starting === undefined;
  }

  start(): Promise<void> {
    this.starting ??= this.launch().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** The process ends immediately, in the middle of its work. */
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

  /** A start that is disturbed may end; then it is made again, as a service manager does. */
  private async launch(): Promise<void> {
    const until = Date.now() + START_LIMIT_MS;
    while (!(await this.launchOnce())) {
      if (Date.now() > until) throw new Error(`a process does not start: ${this.output}`);
    }
  }

  /** False when the process has ended before it was ready. */
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
    // It may have ended right after it had said so.
    if (child.exitCode !== null || child.signalCode !== null) return false;
    this.child = child;
    const port = /API +http:\/\/[^:]+:(\d+)/.exec(this.output)?.[1];
    this.url = port === undefined ? undefined : `http://127.0.0.1:${port}`;
    this.apiKey ??= / {2}API key {3}(\S+)/.exec(this.output)?.[1];
    return true;
  }
}

/** Settings of processes that share one database, and one MongoDB where there is one. */
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
    // So little that the inbox is full whenever no worker has been up for a moment.
    PUSH_INBOX_MAX_BYTES: '1000000',
    ...(mongodbUri === undefined ? {} : { MONGODB_URI: mongodbUri }),
  };
}
