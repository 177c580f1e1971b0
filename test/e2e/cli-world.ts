import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAMS } from '../support/programs.js';
import { setUpDatabase } from '../support/set-up-database.js';

export const ADMIN = { email: 'ada@clinic.example', password: 'correct horse battery' };

/** Result of a command. */
interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface CommandOptions {
  input?: string;
  env?: Record<string, string>;
  /** Home folder with another profile. */
  home?: string;
  /** Called with the output as it arrives. */
  watch?(text: string, child: ChildProcess): void;
}

/** The complete service with a separate database and the profile of its first start, and functions to run healthctl. */
export interface World {
  url: string;
  home: string;
  folder: string;
  healthctl(args: string[], options?: CommandOptions): Promise<Ended>;
  /** Runs healthctl on a terminal. `stdout` contains everything that the terminal shows. */
  onTerminal(args: string[], options?: CommandOptions): Promise<Ended>;
  stop(): Promise<void>;
}

/**
 * @param settings additional settings of the service
 * @param kept an existing folder that is not removed at the end, for a service that is started again
 */
export async function startWorld(settings: Record<string, string> = {}, kept?: string): Promise<World> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'healthctl-e2e-')));
  // The database may run under another account of the operating system, which must read this folder.
  await chmod(folder, 0o755);
  const home = join(folder, 'home');
  const dataDir = join(folder, 'data');
  if (!existsSync(dataDir) && settings.DATABASE_URL === undefined) await setUpDatabase(dataDir);
  const { PATH = '' } = process.env;
  const daemon = spawn(process.execPath, [PROGRAMS.healthd], {
    env: {
      PATH,
      HOME: home,
      DATA_DIR: dataDir,
      PORT: '0',
      METRICS_PORT: '0',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((done) => daemon.once('close', done));
  const url = await readyAt(daemon);
  const environment = (options: CommandOptions) => ({
    PATH,
    HOME: options.home ?? home,
    TERM: 'xterm',
    ...options.env,
  });
  return {
    url,
    home,
    folder,
    healthctl: (args, options = {}) =>
      endOf(
        spawn(process.execPath, [PROGRAMS.healthctl, ...args], { env: environment(options), cwd: folder }),
        options,
      ),
    onTerminal: (args, options = {}) => {
      const words = [process.execPath, PROGRAMS.healthctl, ...args].map((word) => `'${word}'`).join(' ');
      return endOf(spawn('script', ['-qefc', words, '/dev/null'], { env: environment(options), cwd: folder }), options);
    },
    async stop() {
      daemon.kill('SIGINT');
      await ended;
      if (kept === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function readyAt(daemon: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let text = '';
    const read = (chunk: unknown) => {
      text += String(chunk);
      const address = /API {7}(http:\/\/\S+)\/api\/v1/.exec(text)?.[1];
      if (address) done(address);
    };
    daemon.stdout?.on('data', read);
    daemon.stderr?.on('data', read);
    daemon.once('close', () => fail(new Error(`healthd ended before it was ready:\n${text}`)));
  });
}

function endOf(child: ChildProcess, { input, watch }: CommandOptions): Promise<Ended> {
  return new Promise((done, fail) => {
    const ended: Ended = { code: null, stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
        ended[name] += chunk;
        watch?.(ended[name], child);
      });
    }
    child.stdin?.on('error', () => undefined);
    if (!watch) child.stdin?.end(input);
    child.once('error', fail);
    child.once('close', (code) => done({ ...ended, code }));
  });
}
