import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runningEmbeddedUrl } from '@healthd/embedded-postgres';

const PROGRAM = fileURLToPath(new URL('../../daemon/dist/main.js', import.meta.url));
/** Same flags as `npm start` in package.json. */
const START_FLAGS = ['--max-semi-space-size=8'];
const START_WITHIN_MS = 120_000;
const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const INTERRUPTED = 130;

/** A daemon as users start it, with the embedded database and default settings, in a separate folder. */
export interface DaemonProcess {
  pid: number;
  postgresPid: number;
  url: string;
  headers: Record<string, string>;
  databaseUrl: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  /** Stops the daemon and its database and removes the folder. Interrupting this program does the same. */
  stop(): Promise<void>;
}

export async function startDaemon(
  options: { profileDir?: string; env?: Record<string, string> } = {},
): Promise<DaemonProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'healthd-bench-'));
  // As root, Postgres runs under another account, which must be able to enter the folder.
  await chmod(folder, 0o711);
  const profiling = options.profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileDir}`];
  const child = spawn(process.execPath, [...START_FLAGS, ...profiling, PROGRAM], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'warn',
      ...options.env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async () => {
    for (const signal of INTERRUPTIONS) process.off(signal, interrupted);
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  // Cleans up after Ctrl-C too, because gigabytes of database would remain.
  const interrupted = () => void stop().finally(() => process.exit(INTERRUPTED));
  for (const signal of INTERRUPTIONS) process.once(signal, interrupted);
  try {
    const { url, headers } = await reached(child, join(folder, '.config/healthctl/config.json'));
    const databaseUrl = await runningEmbeddedUrl(join(folder, 'data'));
    if (databaseUrl === undefined || child.pid === undefined) throw new Error('the embedded database does not run');
    return {
      pid: child.pid,
      postgresPid: await postgresPid(folder),
      url,
      headers,
      databaseUrl,
      stop,
      get: (path) => answer(fetch(url + path, { headers })),
      post: (path, body) =>
        answer(
          fetch(url + path, {
            method: 'POST',
            headers: { ...headers, 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          }),
        ),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves when the first start has written healthctl's profile, which is its last step. */
async function reached(child: ChildProcess, profile: string) {
  const until = Date.now() + START_WITHIN_MS;
  while (child.exitCode === null && Date.now() < until) {
    const text = await readFile(profile, 'utf8').catch(() => undefined);
    if (text === undefined) {
      await sleep(50);
      continue;
    }
    const { local } = (
      JSON.parse(text) as { contexts: { local: Record<'url' | 'api_key' | 'api_key_header', string> } }
    ).contexts;
    return { url: local.url, headers: { [local.api_key_header]: local.api_key } };
  }
  throw new Error('the daemon did not start');
}

async function postgresPid(folder: string): Promise<number> {
  const text = await readFile(join(folder, 'data/postgres/postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

async function answer<T>(request: Promise<Response>): Promise<T> {
  const response = await request;
  if (!response.ok) throw new Error(`answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
