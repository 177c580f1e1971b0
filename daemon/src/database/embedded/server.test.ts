import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { isAlive } from './process-identity.js';
import { type EmbeddedPostgres, runningEmbeddedUrl, startEmbeddedPostgres } from './server.js';

let dataDir: string;
let servers: EmbeddedPostgres[] = [];

// One data directory for all tests: setting one up takes longer than everything else here.
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'healthd-embedded-'));
  await chmod(dataDir, 0o711);
});
afterEach(async () => {
  for (const server of servers) await server.stop();
  servers = [];
});
afterAll(async () => rm(dataDir, { recursive: true, force: true }));

async function start(onUnexpectedExit?: () => void): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, durability: 'none', onUnexpectedExit });
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

/** What kill -9 of the daemon leaves: the server, and a lock whose owner is gone. */
async function forgetDaemon(): Promise<void> {
  await writeFile(join(dataDir, 'healthd.lock'), JSON.stringify({ pid: process.pid, birthMark: 'earlier boot/1' }));
}

describe('the embedded Postgres', () => {
  it('is UTF-8 with the builtin C.UTF-8 order and UTC, whatever the language of the machine', async () => {
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

  it('lets nobody in without the password that only the owner of the data directory can read', async () => {
    const { url } = await start();
    const address = new URL(url);
    address.password = 'guess';
    await expect(ask(address.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
  });

  it('keeps its rows and its port over a stop and a start', async () => {
    const first = await start();
    await ask(first.url, 'drop table if exists kept; create table kept as select 7 as value');
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await start();
    expect(second).toMatchObject({ url: first.url, adopted: false });
    expect(await ask(second.url, 'select value from kept')).toEqual([{ value: 7 }]);
  });

  it('stands in a process group of its own, so that Ctrl-C reaches the daemon first', async () => {
    const { pid } = await start();
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    const processGroup = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[2]);
    expect(processGroup).toBe(pid);
  });

  it('is adopted with everything in it when its daemon was killed', async () => {
    const first = await start();
    await ask(first.url, 'drop table if exists kept; create table kept as select 7 as value');
    await forgetDaemon();
    const second = await start();
    expect(second).toMatchObject({ pid: first.pid, url: first.url, adopted: true });
    expect(await ask(second.url, 'select value from kept')).toEqual([{ value: 7 }]);
    await second.stop();
    expect(isAlive(first.pid)).toBe(false);
  });

  it('starts again after it was killed together with its daemon', async () => {
    const first = await start();
    process.kill(first.pid, 'SIGKILL');
    while (isAlive(first.pid)) await sleep(10);
    await forgetDaemon();
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts over a pid file whose number now belongs to another program', async () => {
    await (await start()).stop();
    const lines = [process.pid, join(dataDir, 'postgres'), 1, 1, '', '127.0.0.1', '', 'ready'];
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), lines.join('\n'), { mode: 0o644 });
    expect((await start()).adopted).toBe(false);
  });

  it('takes another port when the kept one is in use, and keeps that', async () => {
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

  it('tells when it has ended by itself', async () => {
    const ended = vi.fn();
    const { pid } = await start(ended);
    process.kill(pid, 'SIGINT');
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), { timeout: 10_000 });
  });

  it('can be reached by commands beside the daemon, and only while it runs', async () => {
    const server = await start();
    expect(await runningEmbeddedUrl(dataDir)).toBe(server.url);
    await server.stop();
    expect(await runningEmbeddedUrl(dataDir)).toBeUndefined();
  });
});

describe('a data directory that cannot be used is refused with a line that says why', () => {
  it('in use by another healthd', async () => {
    await start();
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
      code: 'data_directory_in_use',
      message: expect.stringContaining(`process ${process.pid}`),
    });
  });

  it('a file in its place', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    await expect(startEmbeddedPostgres({ dataDir: join(file, 'data') })).rejects.toMatchObject({
      code: 'data_directory_unreachable',
      message: expect.stringMatching(/ENOTDIR.*DATA_DIR/),
    });
  });

  it('made by another Postgres', async () => {
    await (await start()).stop();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toMatchObject({
      code: 'postgres_major_mismatch',
      message: expect.stringMatching(/Postgres 17.*Postgres 18/),
    });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
  });

  // The last one: it cannot be mended.
  it('damaged: the reason of Postgres itself, and the directory is free again', async () => {
    await (await start()).stop();
    await rm(join(dataDir, 'postgres', 'global', 'pg_control'));
    await expect(start()).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringContaining('postgres.log'),
    });
    await expect(stat(join(dataDir, 'healthd.lock'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
