import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { listRecentSyncEvents, listUsers, login } from '@healthd/contract';
import { createPool } from '@healthd/daemon/platform/database';
import { runningEmbeddedUrl } from '@healthd/embedded-postgres';
import { writeExport } from '@healthd/simulators';
import { describe, expect, it } from 'vitest';
import { type Daemon, newHome, postgresPid, runHealthd, startDaemon } from '../support/daemon.js';
import { ended, newUser, runNow, upload } from './imports.js';

describe('the first start', () => {
  it('creates the configured account without printing its password', async () => {
    const named = { ADMIN_EMAIL: 'Ada@Clinic.example', ADMIN_PASSWORD: 'correct horse battery' };
    const daemon = await startDaemon({ env: named });
    try {
      expect(daemon.output.stdout).toMatch(/^ {2}Account {3}ada@clinic\.example$/im);
      expect(daemon.output.stdout).not.toMatch(/Password/);
      expect(daemon.output.stdout + daemon.output.stderr).not.toContain(named.ADMIN_PASSWORD);
      const body = { username: 'ada@clinic.example', password: named.ADMIN_PASSWORD };
      expect((await daemon.client.call(login, { body })).access_token).toBeTruthy();
      expect((await daemon.client.call(listUsers, {})).items).toEqual([]);
    } finally {
      await daemon.stop();
    }
  });

  it('explains why the configured password is weak', async () => {
    const { code, stderr } = await runHealthd(newHome(), [], { ADMIN_PASSWORD: 'Password123' });
    expect(code).toBe(78);
    expect(stderr).toMatch(/^healthd: ADMIN_PASSWORD is easily guessed: this is one of the most common passwords/m);
    expect(stderr).not.toContain('Password123');
  });

  it('explains what to do about an unreadable healthctl profile', async () => {
    const home = newHome();
    mkdirSync(dirname(home.profilePath), { recursive: true });
    writeFileSync(home.profilePath, '{ "contexts": { "clinic"');
    const daemon = await startDaemon({ home });
    try {
      expect(daemon.output.stdout).toContain(
        `  healthctl is not logged in. Cannot read ${home.profilePath} (invalid JSON); the file was not changed.\n` +
          `            Repair the file or move it away, then: healthctl login --url ${daemon.url.replace('127.0.0.1', 'localhost')}\n`,
      );
      expect(daemon.output.stdout).not.toContain('healthctl is logged in');
      expect(readFileSync(home.profilePath, 'utf8')).toBe('{ "contexts": { "clinic"');
      expect((await daemon.client.call(listUsers, {})).items).toEqual([]);
    } finally {
      await daemon.stop();
    }
  });

  it('prints a generated password and a working key only once', async () => {
    const daemon = await startDaemon({ fromNothing: true, env: { LOG_LEVEL: 'info' } });
    const { home, email, password, apiKey } = daemon;
    expect(daemon.output.stderr, 'a short log').toContain('"event":"schema_migrated"');
    expect(daemon.output.stderr.length).toBeLessThan(500);
    let again: Daemon | undefined;
    try {
      expect({ email, password: password.length >= 16 }).toEqual({ email: 'admin@localhost', password: true });
      for (const secret of [password, apiKey]) {
        expect(daemon.output.stdout.split(secret)).toHaveLength(2);
        expect(daemon.output.stderr).not.toContain(secret);
      }
      const body = { username: email, password };
      expect((await daemon.client.call(login, { body })).access_token).toBeTruthy();

      expect(statSync(home.profilePath).mode & 0o777).toBe(0o600);
      const profile = JSON.parse(readFileSync(home.profilePath, 'utf8'));
      expect(profile).toMatchObject({
        current: 'local',
        contexts: {
          local: { url: daemon.url.replace('127.0.0.1', 'localhost'), api_key: apiKey, developer_email: email },
        },
      });

      await daemon.stop();
      again = await startDaemon({ home });
      expect(again.output.stdout).not.toMatch(/First start|Password|API key/);
      for (const secret of [password, apiKey]) expect(again.output.stdout + again.output.stderr).not.toContain(secret);
      expect((await again.client.call(login, { body })).access_token).toBeTruthy();
    } finally {
      await daemon.stop();
      await again?.stop();
    }
    expect(postgresPid(home), 'the database').toBeUndefined();
  });
});

describe('a second service on the machine', () => {
  it('needs only another port and data directory', async () => {
    // Occupies the default metrics port, unless another process already has it.
    const taken = createServer().listen(9464, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve).once('error', resolve));
    const unset = { METRICS_PORT: '' };
    const first = await startDaemon({ env: unset });
    const second = await startDaemon({ env: { ...unset, HOME: join(first.home.folder, 'home') } }).catch(
      async (error: unknown) => {
        await first.stop();
        throw error;
      },
    );
    try {
      for (const { output } of [first, second]) {
        const metrics = /^ {2}Metrics {3}(\S+) {3}\(port 9464 is taken\)$/m.exec(output.stdout)?.[1] ?? '';
        expect(await (await fetch(metrics)).text()).toContain('process_cpu_seconds_total');
      }
      const { host } = new URL(second.url.replace('127.0.0.1', 'localhost'));
      expect(second.output.stdout).toContain(`(with --context ${host})`);
      expect(second.output.stdout).toContain(`  npm run -s healthctl -- --context ${host} users create`);
      expect(second.output.stdout).toContain(`  PORT=${host.split(':')[1]} npm run demo`);
      expect(JSON.parse(readFileSync(first.home.profilePath, 'utf8'))).toMatchObject({
        current: 'local',
        contexts: { local: { api_key: first.apiKey }, [host]: { url: `http://${host}`, api_key: second.apiKey } },
      });
    } finally {
      await first.stop();
      await second.stop();
      taken.close();
    }
  });
});

describe('two processes on one external database', () => {
  it('accept an upload in one process and import it in the other', async () => {
    const host = await startDaemon();
    const processes: Daemon[] = [];
    try {
      const database = await emptyDatabase(host);
      const keys = Object.fromEntries(
        (await runHealthd(newHome(), ['keys'])).stdout
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/s).slice(0, 2)),
      );
      const env = { ...keys, DATABASE_URL: database, SPOOL_DIR: join(host.home.folder, 'shared-spool') };
      const api = await startDaemon({ env, args: ['--role', 'api'] });
      processes.push(api);
      expect(JSON.parse(readFileSync(api.home.profilePath, 'utf8'))).toMatchObject({
        contexts: { local: { url: api.url.replace('127.0.0.1', 'localhost'), api_key: api.apiKey } },
      });
      const user = await newUser(api);
      const path = join(host.home.folder, 'export.zip');
      const truth = await writeExport(path, { days: 10, density: 'light' });
      const { run_id: runId } = await upload(api, user, path);
      expect(await runNow(api, runId)).toMatchObject({ stage: 'queued', status: 'in_progress' });

      const workerFromMs = Date.now();
      const worker = await startDaemon({ env, args: ['--role', 'worker'], home: { ...newHome(), apiKey: api.apiKey } });
      processes.push(worker);
      expect(worker.output.stdout).not.toContain('First start');
      const run = await ended(api, runId);
      expect(run).toMatchObject({ status: 'success' });
      const steps = await api.client.call(listRecentSyncEvents, { params: { user_id: user } });
      const startedStep = steps.find(({ stage }) => stage === 'started');
      expect(Date.parse(startedStep?.timestamp ?? ''), 'nothing imports it before the worker').toBeGreaterThan(
        workerFromMs,
      );
      expect(run.metadata).toMatchObject({ report: { samples_by_type: { steps: expect.any(Number) } } });
      expect(truth.workouts.length).toBeGreaterThan(0);

      expect((await fetch(`${worker.url}/health/ready`)).status, 'probes of the worker').toBe(200);
      expect((await fetch(`${worker.url}/api/v1/users`)).status, 'API of the worker').toBe(404);
      for (const one of processes) {
        expect(await one.stop()).toEqual({ code: 0, signal: null });
        expect(one.output.stderr).toMatch(/^Stopping[^\n]*\n$/);
      }
      expect(postgresPid(host.home), 'the database of somebody else goes on').toBeDefined();
    } finally {
      for (const one of processes) await one.stop();
      await host.stop();
    }
  });

  it('report each missing key at the start', async () => {
    const rejected = await runHealthd(newHome(), [], {
      DATABASE_URL: 'postgres://healthd:secret-word@127.0.0.1:1/healthd',
    });
    expect(rejected.code).toBe(78);
    for (const name of ['SECRET_KEY', 'ENCRYPTION_KEY', 'SIGNING_KEY']) {
      expect(rejected.stderr).toContain(`healthd: ${name} `);
    }
    expect(rejected.stderr).not.toContain('secret-word');
  });
});

/** Creates a database on the service's embedded server. */
async function emptyDatabase(host: Daemon): Promise<string> {
  const url = new URL((await runningEmbeddedUrl(host.home.dataDir)) ?? '');
  const pool = createPool({ url: url.href, max: 1 });
  await pool.query('create database apart');
  await pool.end();
  url.pathname = '/apart';
  return url.href;
}

describe('maintenance', () => {
  it.each([
    ['admin', 'reset-password', 'admin@localhost'],
    ['backup', 'all.healthd'],
  ])('rejects %s %s without creating an unused data directory', async (...args) => {
    const home = newHome();
    const nowhere = join(home.folder, 'mistyped');
    const { code, stderr } = await runHealthd(home, args, { DATA_DIR: nowhere });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `healthd: ${nowhere} contains no healthd data. Set DATA_DIR to the directory of the service.\n`,
    });
    expect(existsSync(nowhere)).toBe(false);
  });
});
