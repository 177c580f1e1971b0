import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { login } from '@healthd/contract';
import type { ImportReport } from '@healthd/daemon/ingest/files';
import { writeExport } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Daemon,
  type DaemonHome,
  type Ended,
  inDatabase,
  newHome,
  postgresPid,
  runHealthd,
  startDaemon,
} from '../support/daemon.js';
import { type StoredTable, storedRows } from '../support/stored-rows.js';
import { ended, importFile, newUser, runNow, upload } from './imports.js';

const home = newHome();
const path = join(home.folder, 'export.zip');
let daemon: Daemon;
/** Result of an import without interruptions. */
let calm: { user: string; rows: Record<string, StoredTable>; samples: number };

beforeAll(async () => {
  await writeExport(path, { days: 35, endDate: '2026-04-20', density: 'dense' });
  daemon = await startDaemon({ home });
  const user = await newUser(daemon);
  await importFile(daemon, user, path);
  const rows = await rowsOf(user);
  calm = { user, rows, samples: rows.sample?.rows ?? 0 };
});
afterAll(() => daemon?.stop());

describe('a service that is killed', () => {
  it('while idle finds its running database and all data', async () => {
    const postgres = postgresPid(home);
    expect((await daemon.kill9()).signal).toBe('SIGKILL');
    expect(postgresPid(home), 'the database has outlived it').toBe(postgres);
    daemon = await startDaemon({ home });
    expect(postgresPid(home)).toBe(postgres);
    expect(daemon.output.stdout).not.toContain('First start');
    expect(await rowsOf(calm.user)).toEqual(calm.rows);
    expect(await accounts()).toEqual({ developers: 1, keys: 1 });
  });

  it('together with its database recovers all data', async () => {
    const postgres = postgresPid(home);
    await daemon.kill9();
    if (postgres !== undefined) process.kill(postgres, 'SIGKILL');
    daemon = await startDaemon({ home });
    expect(postgresPid(home)).not.toBe(postgres);
    expect(await rowsOf(calm.user)).toEqual(calm.rows);
  });

  it('three times during an import stores the rows of an uninterrupted import', async () => {
    const user = await newUser(daemon);
    const { run_id: runId } = await upload(daemon, user, path);
    // Kills before anything is stored, after a part of the file is stored, and while the stored part is read again.
    const moments = [0, 0.3 + 0.15 * Math.random(), 0];
    for (const share of moments) {
      const stored = await untilStored(user, share);
      const waitMs = Math.round(200 * Math.random());
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await daemon.kill9();
      expect(stored).toBeLessThan(calm.samples);
      daemon = await startDaemon({ home });
      const { ended_at } = await runNow(daemon, runId);
      expect({ ended_at }, `killed ${waitMs} ms after ${share} was stored`).toEqual({ ended_at: null });
    }
    const run = await ended(daemon, runId);
    expect(run).toMatchObject({ status: 'success', stage: 'completed' });
    expect((run.metadata.report as ImportReport).stored.samples?.unchanged, 'it went on').toBeGreaterThan(0);
    expect(await rowsOf(user)).toEqual(calm.rows);
  });

  it('right after accepting a file imports the file at the next start', async () => {
    const user = await newUser(daemon);
    const { run_id: runId } = await upload(daemon, user, path);
    await daemon.kill9();
    daemon = await startDaemon({ home });
    expect((await ended(daemon, runId)).status).toBe('success');
    expect(await rowsOf(user)).toEqual(calm.rows);
  });
});

describe('Ctrl-C', () => {
  it('during an import stops everything without losing rows', async () => {
    const user = await newUser(daemon);
    const { run_id: runId } = await upload(daemon, user, path);
    await untilStored(user, 0.1);
    // A stop that exceeds its deadline exits with 1.
    expect(await daemon.interrupt()).toEqual({ code: 0, signal: null });
    expect(postgresPid(home), 'the database').toBeUndefined();
    expect(daemon.output.stderr).toMatch(/^Stopping[^\n]*\n$/);
    daemon = await startDaemon({ home });
    expect((await ended(daemon, runId)).status).toBe('success');
    expect(await rowsOf(user)).toEqual(calm.rows);
  });

  it('and a restart keep accounts, keys and data unchanged', async () => {
    const { email, password } = daemon;
    await daemon.interrupt();
    daemon = await startDaemon({ home });
    expect(daemon.output.stderr, 'neither a new database nor a migration').toBe('');
    expect(daemon.output.stdout).not.toMatch(/First start|Password|sk-/);
    const { contexts } = JSON.parse(readFileSync(home.profilePath, 'utf8'));
    expect(contexts.local, 'healthctl follows to the new port').toMatchObject({
      url: daemon.url.replace('127.0.0.1', 'localhost'),
      api_key: daemon.apiKey,
    });
    const tokens = await daemon.client.call(login, { body: { username: email, password } });
    expect(tokens.access_token).toBeTruthy();
    expect(await accounts()).toEqual({ developers: 1, keys: 1 });
    expect(await rowsOf(calm.user)).toEqual(calm.rows);
  });
});

describe('a start that cannot succeed', () => {
  it('rejects a data directory in use without affecting its service', async () => {
    const rejected = await runHealthd(home, []);
    expect(lines(rejected)).toEqual([
      expect.stringMatching(/^healthd: Another healthd \(process \d+\) is using the data directory \S+\. /),
    ]);
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toContain(`process ${daemon.pid}`);
    expect(await accounts()).toEqual({ developers: 1, keys: 1 });
  });

  it('stops its database if the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    await daemon.stop();
    try {
      const rejected = await runHealthd(home, [], { PORT: `${port}` });
      expect(lines(rejected)).toEqual([
        `healthd: Port ${port} on 127.0.0.1 is already in use. Set PORT to another port.`,
      ]);
      expect(rejected).toMatchObject({ code: 1, stdout: '' });
      expect(postgresPid(home)).toBeUndefined();
    } finally {
      taken.close();
      daemon = await startDaemon({ home });
    }
  });

  it.each(['PORT', 'METRICS_PORT'])('creates no account if its %s is in use', async (setting) => {
    const fresh = newHome();
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const rejected = await runHealthd(fresh, [], { [setting]: `${port}` });
    taken.close();
    expect(lines(rejected)).toContain(
      `healthd: Port ${port} on 127.0.0.1 is already in use. Set ${setting} to another port.`,
    );
    const started = await startDaemon({ home: fresh });
    try {
      expect(started.output.stdout).toMatch(/First start. These credentials are shown only once/);
    } finally {
      await started.stop();
    }
  });

  it.each([
    [{ PORT: 'eighty' }, 'PORT', 'eighty', /whole number|integer|0.*65535/],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL', 'loud', /fatal.*info.*silent/],
    [{ IMPORT_MAX_BYTES: 'much' }, 'IMPORT_MAX_BYTES', 'much', /GiB|bytes/],
  ])('reports variable, value and allowed values of a wrong setting: %j', async (env, variable, value, allowed) => {
    const elsewhere = unusedHome();
    const rejected = await runHealthd(elsewhere, [], env);
    expect(rejected).toMatchObject({ code: 78, stdout: '' });
    expect(lines(rejected)).toEqual([expect.stringMatching(`^healthd: ${variable} is "${value}" but must be `)]);
    expect(rejected.stderr).toMatch(allowed);
  });

  it('names all wrong settings without secrets', async () => {
    const rejected = await runHealthd(unusedHome(), [], { PORT: '70000', SIGNING_KEY: 'short-secret' });
    expect(rejected.code).toBe(78);
    expect(lines(rejected)).toHaveLength(2);
    expect(rejected.stderr).toContain('SIGNING_KEY');
    expect(rejected.stderr).not.toContain('short-secret');
  });
});

function unusedHome(): DaemonHome {
  return { ...home, dataDir: join(home.folder, 'never-made') };
}

function lines({ stderr }: Ended): string[] {
  return stderr.trimEnd().split('\n');
}

function rowsOf(user: string): Promise<Record<string, StoredTable>> {
  return inDatabase(home, (pool) => storedRows(pool, user));
}

async function accounts(): Promise<{ developers: number; keys: number }> {
  const { rows } = await inDatabase(home, (pool) =>
    pool.query(
      'select (select count(*)::int from developer) as developers, (select count(*)::int from api_key) as keys',
    ),
  );
  return rows[0];
}

/** Waits until this share of the export's samples is stored. Returns the number of stored samples. */
async function untilStored(user: string, share: number): Promise<number> {
  return inDatabase(home, async (pool) => {
    for (const until = Date.now() + 120_000; Date.now() < until; ) {
      const { rows } = await pool.query(
        'select count(*)::int as count from sample where user_key = (select user_key from health_user where id = $1)',
        [user],
      );
      if (rows[0].count >= share * calm.samples) return rows[0].count;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`never stored ${share} of the samples`);
  });
}
