import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { tryFileLock } from './file-lock.js';
import { ephemeralPorts } from './free-port.js';
import { isAlive } from './process-identity.js';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  runningEmbeddedUrl,
  startEmbeddedPostgres,
} from './server.js';

let dataDir: string;
let servers: EmbeddedPostgres[] = [];

// All tests share one data directory, because creating it takes longer than the tests.
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'healthd-embedded-'));
  await chmod(dataDir, 0o711);
});
afterEach(async () => {
  for (const server of servers) await server.stop();
  servers = [];
});
afterAll(async () => rm(dataDir, { recursive: true, force: true }));

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, durability: 'none', ...options });
  servers.push(server);
  return server;
}

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

const loader = new URL('../../../test/support/typescript-loader.mjs', import.meta.url).href;
const owner = fileURLToPath(new URL('../../../test/support/embedded-owner.ts', import.meta.url));

/** Starts a server whose daemon, a separate process, was killed. */
async function startAndKillDaemon(): Promise<{ pid: number; url: string }> {
  const child = spawn(process.execPath, ['--import', loader, '--conditions=healthd-source', owner, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: string[] = await once(createInterface({ input: child.stdout }), 'line');
  child.kill('SIGKILL');
  await once(child, 'close');
  return JSON.parse(line ?? '') as { pid: number; url: string };
}

describe('the embedded Postgres', () => {
  it('uses UTF-8, C.UTF-8 order and UTC in any system language', async () => {
    vi.stubEnv('LANG', undefined).stubEnv('LC_ALL', undefined).stubEnv('TZ', 'Asia/Kathmandu').stubEnv('PGPORT', '1');
    const { url } = await start();
    vi.unstubAllEnvs();
    const [found] = await ask(
      url,
      `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
        current_setting('timezone') as timezone from pg_database where datname = current_database()`,
    );
    expect(found).toEqual({ encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8', timezone: 'UTC' });
  });

  it("requires the password that only the data directory's owner can read", async () => {
    const { url } = await start();
    const address = new URL(url);
    address.password = 'guess';
    await expect(ask(address.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
  });

  it('keeps its rows and its port across a restart', async () => {
    const first = await start();
    await ask(first.url, 'drop table if exists kept; create table kept as select 7 as value');
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await start();
    expect(second).toMatchObject({ url: first.url, adopted: false });
    expect(await ask(second.url, 'select value from kept')).toEqual([{ value: 7 }]);
  });

  it('runs in a process group separate from the daemon', async () => {
    const { pid } = await start();
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    const processGroup = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[2]);
    expect(processGroup).toBe(pid);
  });

  it('adopts a running server with its data after the daemon was killed', async () => {
    const first = await startAndKillDaemon();
    await ask(first.url, 'drop table if exists kept; create table kept as select 7 as value');
    const second = await start();
    expect(second).toMatchObject({ pid: first.pid, url: first.url, adopted: true });
    expect(await ask(second.url, 'select value from kept')).toEqual([{ value: 7 }]);
    await second.stop();
    expect(isAlive(first.pid)).toBe(false);
  });

  it('starts again after server and daemon were killed together', async () => {
    const first = await startAndKillDaemon();
    process.kill(first.pid, 'SIGKILL');
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('restarts a running server whose lock file is missing', async () => {
    const first = await startAndKillDaemon();
    await rm(join(dataDir, 'postgres.lock'));
    const second = await start();
    expect(second).toMatchObject({ url: first.url, adopted: false });
    expect(isAlive(first.pid)).toBe(false);
  });

  it('keeps the pid file of a server that a command cannot see', async () => {
    await start();
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const content = await readFile(pidFile, 'utf8');
    const unseen = content.replace(/^\d+/, String(2 ** 22 + 1));
    await writeFile(pidFile, unseen);
    expect(await runningEmbeddedUrl(dataDir)).toBeUndefined();
    expect(await readFile(pidFile, 'utf8')).toBe(unseen);
    await writeFile(pidFile, content);
  });

  it("starts despite a pid file with another program's process id", async () => {
    await (await start()).stop();
    const lines = [process.pid, join(dataDir, 'postgres'), 1, 1, '', '127.0.0.1', '', 'ready'];
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), lines.join('\n'), { mode: 0o644 });
    expect((await start()).adopted).toBe(false);
  });

  it('stores another port if the stored port is in use', async () => {
    const first = await start();
    await first.stop();
    const squatter = createServer().listen(first.port, '127.0.0.1');
    await once(squatter, 'listening');
    const second = await start();
    squatter.close();
    expect(second.port).not.toBe(first.port);
    await second.stop();
    expect((await start()).port).toBe(second.port);
  });

  it('replaces a stored port that outgoing connections may use', async () => {
    await (await start()).stop();
    const { first, last } = await ephemeralPorts();
    const file = join(dataDir, 'postgres.json');
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), port: last }));
    const { port } = await start();
    expect(port < first || port > last, String(port)).toBe(true);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ port });
  });

  it('reports its exit after three restarts on the same port', async () => {
    const restarted = vi.fn();
    const ended = vi.fn();
    const server = await start({ onRestart: restarted, onUnexpectedExit: ended });
    await ask(server.url, 'drop table if exists kept; create table kept as select 7 as value');
    for (let restart = 1; restart <= 3; restart++) {
      const { pid } = server;
      process.kill(pid, 'SIGKILL');
      await vi.waitFor(() => expect(server.pid).not.toBe(pid), { timeout: 120_000 });
      expect(restarted).toHaveBeenLastCalledWith(restart);
      expect(await ask(server.url, 'select value from kept')).toEqual([{ value: 7 }]);
    }
    expect(ended).not.toHaveBeenCalled();
    process.kill(server.pid, 'SIGINT');
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), { timeout: 120_000 });
    expect(restarted).toHaveBeenCalledTimes(3);
  });

  it('never restarts on another port', async () => {
    const ended = vi.fn();
    const server = await start({ onUnexpectedExit: ended });
    const { pid } = server;
    const squatter = createServer();
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(
      async () => {
        squatter.listen(server.port, '127.0.0.1');
        await once(squatter, 'listening');
      },
      { timeout: 120_000, interval: 1 },
    );
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), { timeout: 120_000 });
    squatter.close();
  });

  it('does not restart after a stop during a restart', async () => {
    const server = await start();
    process.kill(server.pid, 'SIGKILL');
    await server.stop();
    // Processes of the killed server hold the lock until they detect the kill.
    const lock = await vi.waitFor(
      async () => {
        const taken = await tryFileLock(join(dataDir, 'postgres.lock'));
        if (!taken) throw new Error('the lock is held');
        return taken;
      },
      { timeout: 120_000, interval: 20 },
    );
    lock.release();
    expect(await runningEmbeddedUrl(dataDir)).toBeUndefined();
  });

  it('is reachable by other commands only while running', async () => {
    const server = await start();
    expect(await runningEmbeddedUrl(dataDir)).toBe(server.url);
    await server.stop();
    expect(await runningEmbeddedUrl(dataDir)).toBeUndefined();
  });
});

describe('an unusable data directory', () => {
  it('rejects a directory that another healthd uses', async () => {
    await start();
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
      code: 'data_directory_in_use',
      message: expect.stringContaining(`process ${process.pid}`),
    });
  });

  it('rejects a file in place of the directory', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    await expect(startEmbeddedPostgres({ dataDir: join(file, 'data') })).rejects.toMatchObject({
      code: 'data_directory_unreachable',
      message: expect.stringMatching(/ENOTDIR.*DATA_DIR/),
    });
  });

  it('rejects a directory of another Postgres version', async () => {
    await (await start()).stop();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toMatchObject({
      code: 'postgres_major_mismatch',
      message: expect.stringMatching(/Postgres 17.*Postgres 18/),
    });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
  });

  // Last test, because the damage cannot be repaired.
  it('rejects a damaged directory without keeping its locks', async () => {
    await (await start()).stop();
    await rm(join(dataDir, 'postgres', 'global', 'pg_control'));
    await expect(start()).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringContaining('postgres.log'),
    });
    for (const name of ['healthd.lock', 'postgres.lock']) {
      const lock = await tryFileLock(join(dataDir, name));
      expect(lock, name).toBeDefined();
      lock?.release();
    }
  });
});
