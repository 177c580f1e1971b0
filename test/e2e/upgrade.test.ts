// Each folder, such as test/releases/0.2.0, contains files that the release itself created: a database (as SQL) and a
// backup of one user with a week of pushed data, the keys, and the API's responses. A new release adds a folder and a
// line to RELEASES.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Daemon, newHome, runHealthd, startDaemon } from '../support/daemon.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { describeSchema } from '../support/schema.js';

interface Release {
  keys: Record<string, string>;
  email: string;
  password: string;
  apiKey: string;
  cookie: string;
  link: { url: string };
  user: string;
  erased: string;
  answers: Record<string, { data?: unknown; metadata?: unknown }>;
}

const RELEASES = ['0.2.0'];
const CONSOLE = { 'X-Healthd-Console': '1' };

describe.each(RELEASES)('release %s', (version) => {
  const folder = join(import.meta.dirname, '../releases', version);
  const release: Release = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8'));
  const { keys, email, password, apiKey } = release;
  const sql = gunzipSync(readFileSync(join(folder, 'database.sql.gz'))).toString();
  const databases: TestDatabase[] = [];
  afterAll(async () => Promise.all(databases.map((database) => database.drop())));

  /** Creates a database as the release left it. */
  async function oldDatabase(): Promise<TestDatabase> {
    const database = await createTestDatabase();
    databases.push(database);
    const client = await database.pool.connect();
    await client.query('drop schema public cascade; create schema public');
    await client.query(sql);
    // The recorded rows have expired by now, so their times are updated.
    await client.query(`
      update public.refresh_token set idle_expires_at = now() + interval '1 day', absolute_expires_at = now() + interval '1 day';
      update public.connect_link set expires_at = now() + interval '1 day'`);
    // Destroys the connection, because the SQL has changed its search path.
    client.release(true);
    return database;
  }

  describe('its database', () => {
    let database: TestDatabase;
    let daemon: Daemon;
    beforeAll(async () => {
      database = await oldDatabase();
      daemon = await start(database);
    });
    afterAll(() => daemon?.stop());

    test('gives the same responses', () => expectAnswers(daemon));

    test('has the schema of a new database', async () => {
      const fresh = await createTestDatabase();
      databases.push(fresh);
      const [found, expected] = [await describeSchema(database.pool), await describeSchema(fresh.pool)];
      const ours = (lines: string[] | undefined) => lines?.filter((line) => !line.includes('agenda_'));
      for (const part of ['relations', 'columns', 'constraints', 'indexes', 'functions', 'triggers'])
        expect(ours(found[part]), part).toEqual(ours(expected[part]));
      expect(expected.columns?.length).toBeGreaterThan(600);
    });

    test('keeps passwords, console sessions and connect links', async () => {
      const form = new URLSearchParams({ username: email, password });
      const login = await fetch(`${daemon.url}/api/v1/auth/session`, { method: 'POST', body: form, headers: CONSOLE });
      expect(login.status).toBe(200);
      const renewed = await fetch(`${daemon.url}/api/v1/auth/session/refresh`, {
        method: 'POST',
        headers: { ...CONSOLE, Cookie: release.cookie },
      });
      expect(renewed.status).toBe(200);
      const page = await fetch(daemon.url + new URL(release.link.url).pathname, { redirect: 'manual' });
      expect(page.status).toBe(200);
    });

    test('accepts new data', async () => {
      const headers = { 'X-Service-API-Key': apiKey, 'Content-Type': 'application/json' };
      const at = '2026-10-20T10:00:00Z';
      const record = {
        type: 'HKQuantityTypeIdentifierHeartRate',
        startDate: at,
        endDate: at,
        value: 61,
        unit: 'count/min',
      };
      const body = {
        provider: 'apple',
        sdkVersion: '1',
        syncTimestamp: at,
        data: { records: [record], sleep: [], workouts: [] },
      };
      const path = `${daemon.url}/api/v1/sdk/users/${release.user}/sync`;
      expect((await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(202);
      const query = 'types=heart_rate&start_time=2026-10-20T00:00:00Z&end_time=2026-10-21T00:00:00Z';
      await expect
        .poll(async () => {
          const response = await fetch(`${daemon.url}/api/v1/users/${release.user}/timeseries?${query}`, { headers });
          return ((await response.json()) as { data: { value: number }[] }).data?.map(({ value }) => value);
        })
        .toEqual([61]);
    });
  });

  test('restores its backup', async () => {
    const home = newHome();
    const restored = await runHealthd(home, ['restore', join(folder, 'backup.healthd')]);
    expect(restored, restored.stderr).toMatchObject({ code: 0 });
    const daemon = await startDaemon({ home: Object.assign(home, { email, password, apiKey }) });
    try {
      await expectAnswers(daemon);
    } finally {
      await daemon.stop();
    }
  });

  test('rejects a database of an earlier version', async () => {
    const database = await oldDatabase();
    await database.pool.query("delete from schema_migration where name = '2026-11-28_60_unproven_accounts'");
    const ended = await runHealthd(newHome(), [], { ...keys, DATABASE_URL: database.url });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('Upgrade to 0.2.0 first');
  });

  test('rejects a database with another schema without changing it', async () => {
    const database = await oldDatabase();
    await database.pool.query('alter table sample add column note text');
    await database.pool.query('drop index workout_by_day');
    const ended = await runHealthd(newHome(), [], { ...keys, DATABASE_URL: database.url });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('missing: CREATE INDEX workout_by_day ON workout');
    expect(ended.stderr).toContain('not ours: column sample note text');
    const { rows } = await database.pool.query('select count(*)::int4 as names from schema_migration');
    expect(rows).toEqual([{ names: 46 }]);
  });

  async function start(database: TestDatabase): Promise<Daemon> {
    const home = Object.assign(newHome(), { email, password, apiKey });
    return startDaemon({
      home,
      env: { ...keys, DATABASE_URL: database.url, OURA_CLIENT_ID: 'a', OURA_CLIENT_SECRET: 'b' },
    });
  }

  async function expectAnswers(daemon: Daemon): Promise<void> {
    const headers = { 'X-Service-API-Key': apiKey };
    for (const [path, expected] of Object.entries(release.answers)) {
      const response = await fetch(daemon.url + path, { headers });
      const { metadata: _, ...found } = (await response.json()) as Release['answers'][string];
      expect(found, path).toEqual(expected);
    }
    expect((await fetch(`${daemon.url}/api/v1/users/${release.erased}`, { headers })).status).toBe(404);
  }
});
