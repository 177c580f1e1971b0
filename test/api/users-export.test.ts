import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Users } from '@healthd/daemon/users';
import { seriesTypeById } from '@healthd/model';
import { generateExport } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertArchivedRows } from '../support/archived-rows.js';
import { recordedUser } from '../support/recorded-user.js';
import { samplesEvery } from '../support/records.js';
import { startTestService } from '../support/service.js';
import { zipEntries } from '../support/zip-entries.js';
import { type ImportFixture, openImportFixture } from './import-fixture.js';

/** Tables with rows about individual users, as listed by the database. */
const PERSON_TABLES = `
  select table_name as name, bool_or(column_name = 'user_key') as by_key from information_schema.columns
  where table_schema = 'public' and column_name in ('user_key', 'user_id') and table_name not like 'agenda%'
  group by table_name order by table_name`;

let fixture: ImportFixture;
let users: Users;
const user = { id: '', userKey: 0 };
const other = { id: '', userKey: 0 };

beforeAll(async () => {
  fixture = await openImportFixture();
  users = fixture.users;
  for (const owner of [user, other]) {
    owner.id = await fixture.createUser();
    owner.userKey = (await users.find(owner.id))?.userKey ?? 0;
    const xml = await buffer(generateExport({ days: 20, density: 'light', seed: owner.userKey }).chunks);
    const run = await fixture.ended((await fixture.upload(owner.id, xml)).run_id);
    expect(run.status).toBe('success');
  }
  // Stops the queue, because its jobs would process some of the following rows.
  await fixture.queue.stop(1);
  for (const owner of [user, other]) await fillEmptyTables(owner);
  await fixture.audit.flush();
});
afterAll(async () => {
  await fixture.close();
});

/** Inserts rows into the tables that an import leaves empty. */
async function fillEmptyTables({ id, userKey }: typeof user) {
  const { pool } = fixture;
  await pool.query('insert into personal_record (user_key) values ($1) on conflict do nothing', [userKey]);
  await pool.query(
    `insert into menstrual_cycle (user_key, source_id, start_at, end_at, details) values ($1, 1, now(), now(), '{}')`,
    [userKey],
  );
  await pool.query(
    `insert into day_merged (user_key, type_id, local_date, provider, device_order, total)
     values ($1, 1, '2026-03-10', 'apple', 0, 1)`,
    [userKey],
  );
  await insertArchivedRows(fixture, userKey);
  await pool.query(
    `insert into sample_extremes (user_key, type_id, start_at, source_id, slot, minimum, maximum)
     values ($1, 1, now(), 1, 0, 52, 125)`,
    [userKey],
  );
  await pool.query(
    `insert into session_tombstone (user_key, id, kind, provider, start_at, end_at)
     values ($1, gen_random_uuid(), 'workout', 'apple', now(), now())`,
    [userKey],
  );
  await pool.query(
    `insert into source_alias (user_key, provider, writer, named_writer)
     values ($1, 'apple', 'com.example.app', 'Example')`,
    [userKey],
  );
  await pool.query("insert into push_device (user_key, device, provider, name) values ($1, 0, 'apple', '')", [userKey]);
  await pool.query(
    `insert into pushed_sample (user_key, id_hash, start_at, source_id, slot, type_id, device)
     values ($1, 1, now(), 1, 1, 1, 0)`,
    [userKey],
  );
  await pool.query(
    `insert into pushed_tombstone (user_key, id_hash, content, start_at, source_id, type_id, provider)
     values ($1, 1, 0, now(), 0, 0, 'apple')`,
    [userKey],
  );
  await pool.query(
    `insert into pushed_range (user_key, provider, source_id, type_id, start_at, end_at, received_at)
     values ($1, 'apple', 1, 1, now(), now(), now())`,
    [userKey],
  );
  await pool.query(`insert into user_digest (user_key, digest_key_sealed) values ($1, '')`, [userKey]);
  await pool.query(`insert into day_digest (user_key, local_date, digests) values ($1, '2026-03-10', '[]')`, [userKey]);
  await pool.query(`insert into expired_series (user_key, type_id, before) values ($1, 1, '2020-01-01')`, [userKey]);
  await pool.query("insert into pending_repair (user_key, repair) values ($1, 'judge_naps')", [userKey]);
  await pool.query(
    `insert into health_score (user_key, source_id, provider, category, recorded_at)
     values ($1, 1, 'apple', 'sleep', now())`,
    [userKey],
  );
  await pool.query(
    `insert into refresh_token (id, family_id, token_hash, kind, user_id, app_id, idle_expires_at, absolute_expires_at)
     values (gen_random_uuid(), gen_random_uuid(), sha256($1::uuid::text::bytea), 'sdk', $1::uuid, 'app_1', now(), now())`,
    [id],
  );
  await pool.query(
    `insert into audit_event (actor_type, user_id, resource, action, outcome, route)
     values ('developer', $1, 'user', 'read', 'success', 'getUser')`,
    [id],
  );
  await pool.query(
    `insert into user_invitation_code (id, user_id, code_hash, expires_at)
     values (gen_random_uuid(), $1::uuid, sha256($1::uuid::text::bytea), now())`,
    [id],
  );
  await pool.query(
    `insert into connection (user_key, provider, provider_user_id, scope, access_token, refresh_token)
     values ($1, 'google', '4410982267731905512', 'sleep', 'v1.sealed.access', 'v1.sealed.refresh')`,
    [userKey],
  );
  await pool.query(
    `insert into oauth_state (state_hash, provider, user_key, verifier_secret, expires_at)
     values (sha256($1::bigint::text::bytea), 'google', $1, 'a-pkce-verifier', now())`,
    [userKey],
  );
  await pool.query(
    `with link as (insert into connect_link (user_key, token_hash, providers, expires_at)
       values ($1, sha256($1::bigint::text::bytea), '{google}', now()) returning id)
     insert into connect_link_use (link_id, user_key, provider, state) select id, $1, 'google', 'connected' from link`,
    [userKey],
  );
  await pool.query(
    `insert into device_batch (batch_id, user_key, provider, encoding, byte_size, sha256, key_hash, queued_told, body)
     values (gen_random_uuid(), $1, 'apple', 'identity', 2, sha256('{}'), sha256('key'), false, '{}')`,
    [userKey],
  );
}

/** Returns the number of a user's stored rows by table. */
async function rowsAbout({ id, userKey }: typeof user): Promise<Record<string, number>> {
  const tables = await fixture.pool.query<{ name: string; by_key: boolean }>(PERSON_TABLES);
  const counts: Record<string, number> = {};
  for (const { name, by_key } of tables.rows) {
    const { rows } = await fixture.pool.query(
      `select count(*) as n from ${name} where ${by_key ? 'user_key' : 'user_id'} = $1`,
      [by_key ? userKey : id],
    );
    counts[name] = rows[0].n;
  }
  return counts;
}

const linesOf = (text: string | undefined) => (text ? text.trimEnd().split('\n') : []);

describe('the export of a user', () => {
  let entries: Map<string, string>;
  let stored: Record<string, number>;
  beforeAll(async () => {
    stored = await rowsAbout(user);
    entries = await zipEntries(await buffer(users.export(user)));
  });
  const rows = (path: string) => linesOf(entries.get(`${path}.ndjson`)).map((line) => JSON.parse(line));

  test('has exactly the stored rows of every user table', () => {
    const { sample = 0, ...others } = stored;
    for (const [table, count] of Object.entries(stored)) expect([table, count > 0]).toEqual([table, true]);
    const files = new Map([...entries].filter(([path]) => path.endsWith('.ndjson')));
    const samples = [...files].filter(([path]) => path.startsWith('samples/'));
    expect(samples.length).toBeGreaterThan(5);
    expect(samples.flatMap(([, text]) => linesOf(text))).toHaveLength(sample);
    const counts = [...files].filter(([path]) => !path.startsWith('samples/')).map(([, text]) => linesOf(text).length);
    expect(counts.sort((a, b) => a - b)).toEqual(Object.values(others).sort((a, b) => a - b));
    expect(rows('workouts')).toHaveLength(others.workout ?? -1);
    expect(rows('sleep_stages')).toHaveLength(others.sleep_stage ?? -1);
    expect(rows('audit_events')).toHaveLength(others.audit_event ?? -1);
  });

  test('has every sample with its exact value, ordered by time', async () => {
    const { rows: found } = await fixture.pool.query(
      'select type_id, start_at, value from sample where user_key = $1 order by type_id, start_at, source_id, slot',
      [user.userKey],
    );
    for (const typeId of new Set(found.map((row) => row.type_id))) {
      const exported = rows(`samples/${seriesTypeById(typeId)?.code}`);
      const expected = found.filter((row) => row.type_id === typeId);
      expect(exported.map(({ start_at, value }) => [Date.parse(start_at), value])).toEqual(
        expected.map(({ start_at, value }) => [start_at.getTime(), value]),
      );
    }
  });

  test('contains the sample IDs that time series return', async () => {
    const exported = rows('samples/heart_rate').slice(0, 100);
    const range = 'start_time=2000-01-01&end_time=2100-01-01&types=heart_rate&limit=100&include_ids=true';
    const { data } = (await (await fetch(`${fixture.url}/api/v1/users/${user.id}/timeseries?${range}`)).json()) as {
      data: { id: string }[];
    };
    expect(data.length).toBeGreaterThan(5);
    expect(exported.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
  });

  test('explains each of its files', () => {
    const readme = entries.get('README.txt') ?? '';
    for (const path of entries.keys()) if (path !== 'README.txt') expect(readme).toContain(`  ${path} `);
    expect(readme).toContain('heart_rate, value in bpm');
    expect(readme).not.toContain('rows of');
  });

  test("contains no internal key, credential hash or other user's data", () => {
    const all = [...entries.values()].join('\n');
    expect(all).not.toMatch(/"user_key"|"\w*_(hash|sealed)"/);
    expect(all).not.toMatch(/v1\.sealed|a-pkce-verifier/);
    expect(all).toContain(user.id);
    expect(all).not.toContain(other.id);
  });
});

test('keeps text that resembles the end of a COPY', async () => {
  const id = await fixture.createUser();
  const text = '\\.\n"quoted", \u0001\u0002 \\N back\\slash';
  await fixture.pool.query('update health_user set first_name = $2 where id = $1', [id, text]);
  const entries = await zipEntries(await buffer(users.export((await users.find(id))!)));
  expect(JSON.parse(String(entries.get('profile.ndjson'))).first_name).toBe(text);
});

test('leaves no connection or statement behind after a cancelled export', async () => {
  for await (const _ of users.export(user)) break;
  const entries = await zipEntries(await buffer(users.export(user)));
  expect(entries.size).toBeGreaterThan(10);
  const { rows } = await fixture.pool.query(
    "select query from pg_stat_activity where datname = current_database() and query like 'copy%' and state <> 'idle'",
  );
  expect(rows).toEqual([]);
});

test("erases all of a user's rows except audit records", async () => {
  const before = await rowsAbout(other);
  await users.erase(user, randomUUID());
  const { audit_event: audited, ...left } = await rowsAbout(user);
  expect(audited).toBeGreaterThan(0);
  for (const [table, count] of Object.entries(left)) expect([table, count]).toEqual([table, 0]);
  expect(await rowsAbout(other)).toEqual(before);
});

test('returns an audited, uncached zip to developers only', async () => {
  const service = await startTestService();
  const { id } = await recordedUser(service, ...samplesEvery('heart_rate', '2026-03-01T10:00:00Z', 1, [60, 61, 62]));
  const path = `/api/v1/users/${id}/export`;
  expect((await service.call('GET', path)).status).toBe(401);
  const { tokens, call } = await service.logIn();
  expect((await call('GET', path.replace(id, '11111111-2222-4333-8444-555555555555'))).status).toBe(404);
  const response = await fetch(service.url + path, { headers: { Authorization: `Bearer ${tokens.access_token}` } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="healthd-${id}.zip"`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const entries = await zipEntries(Buffer.from(await response.arrayBuffer()));
  expect(linesOf(entries.get('samples/heart_rate.ndjson'))).toHaveLength(3);
  await service.audit.flush();
  const found = (await call('GET', `/api/v1/audit?user_id=${id}&action=export`)).body.data;
  expect(found).toMatchObject([
    { action: 'export', outcome: 'success', actor_type: 'developer' },
    { outcome: 'denied', actor_type: 'anonymous' },
  ]);
  await service.stop();
});
