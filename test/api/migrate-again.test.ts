import { createHash } from 'node:crypto';
import { reportLines } from '@healthd/daemon/open-wearables';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { healthChecksums } from '../support/health-tables.js';
import { ANNA, BOB, CARLA, idOf } from '../support/open-wearables/users.js';
import { caller } from '../support/service.js';
import { type MigrationFixture, openMigrationFixture } from './migration-fixture.js';

let there: MigrationFixture['there'];
let service: MigrationFixture['service'];
let truth: MigrationFixture['truth'];
let call: MigrationFixture['call'];
let get: MigrationFixture['get'];
let copy: MigrationFixture['copy'];
let survey: MigrationFixture['survey'];
let migration: MigrationFixture;
beforeAll(async () => {
  migration = await openMigrationFixture();
  ({ there, service, truth, call, get, copy, survey } = migration);
});
afterAll(() => migration.close());

describe('a second migration from Open Wearables', () => {
  test('changes nothing if the source did not change', async () => {
    const before = await stateOf();
    const again = await copy();
    expect(again.users).toEqual({ new: 0, here: 3, erased: 0 });
    expect(again.connections).toEqual({ new: 0, updated: 0 });
    expect(again.items).toMatchObject({ inserted: 0, updated: 0 });
    expect(again).toMatchObject({ apiKeys: 0, removed: 0 });
    expect(await stateOf()).toEqual(before);
  });

  test('copies changes without duplicates', async () => {
    const watch = idOf('source', 'annas watch');
    const changed = await there.pool.query(
      `update data_point_series set value = value + 100
        where data_source_id = $1 and series_type_definition_id = 80 and recorded_at = '2025-03-28T12:00:00Z' returning id`,
      [watch],
    );
    expect(changed.rows).toHaveLength(1);
    // Open Wearables joined two parts into one row: the row has a new ID and the same or a longer duration.
    for (const [before, after, end] of [
      ['walk', 'walk, joined', '2025-03-29T17:30:00Z'],
      ['row', 'row, joined', '2025-03-30T17:20:00Z'],
    ]) {
      await there.pool.query('update event_record set id = $2, end_datetime = $3 where id = $1', [
        idOf(before ?? ''),
        idOf(after ?? ''),
        end,
      ]);
    }
    await there.pool.query(
      `update user_connection set access_token = 'made-up-newer', updated_at = now() where id = $1`,
      [idOf('c1')],
    );
    const again = await copy();
    expect(again.items).toMatchObject({ inserted: 2, updated: 1 });
    expect(again.removed).toBe(2);
    expect(again.connections).toEqual({ new: 0, updated: 1 });
    const { data } = await get(`${ANNA}/summaries/activity?start_date=2025-03-28&end_date=2025-03-29`);
    expect(data[0].steps).toBe((truth.steps.get(ANNA)?.get('2025-03-28') ?? 0) + 100);
    const { data: walks } = await get(`${ANNA}/events/workouts?start_date=2025-03-28&end_date=2025-04-02`);
    expect(walks.map(({ type }: { type: string }) => type)).toEqual(['walking', 'trail_running']);
    const { data: rows } = await get(`${BOB}/events/workouts?start_date=2025-03-30&end_date=2025-04-02`);
    expect(rows).toMatchObject([{ end_time: '2025-03-30T17:20:00Z' }]);
  });

  test('updates renamed users except in fields changed in this service', async () => {
    const developer = caller(service, { Authorization: `Bearer ${await logIn()}` });
    const patched = await developer('PATCH', `/api/v1/users/${ANNA}`, {
      email: 'anna@home.example',
      last_name: 'Nowak',
    });
    expect(patched.status).toBe(200);
    await there.pool.query(
      `update "user" set first_name = 'Anne', last_name = 'Kowalska', email = 'anne@clinic.example',
              external_user_id = 'patient-7' where id = $1`,
      [ANNA],
    );
    await there.pool.query(`update "user" set email = null, external_user_id = 'patient-2' where id = $1`, [BOB]);
    await developer('PATCH', `/api/v1/users/${CARLA}`, { external_user_id: 'patient-2' });
    const again = await copy();
    expect(again.profiles).toEqual({
      updated: 2,
      kept: 2,
      shown: [
        { id: ANNA, fields: ['email'] },
        { id: CARLA, fields: ['external_user_id'] },
      ],
    });
    expect(again.droppedExternalIds).toBe(1);
    expect(await get(ANNA)).toMatchObject({
      first_name: 'Anne',
      last_name: 'Kowalska',
      email: 'anna@home.example',
      external_user_id: 'patient-7',
    });
    expect(await get(BOB)).toMatchObject({ first_name: 'Bob', email: null, external_user_id: null });
    expect(reportLines(again)).toContain(`  ${ANNA}: email`);
    expect((await copy()).profiles).toMatchObject({ updated: 0, kept: 2 });
  });

  test('reports the differing fields of a retained profile', async () => {
    await service.pool.query('update health_user set changed_here = null where id = $1', [BOB]);
    await there.pool.query(`update "user" set first_name = 'Robert', external_user_id = null where id = $1`, [BOB]);
    const { profiles } = await copy();
    expect(profiles.shown).toContainEqual({ id: BOB, fields: ['first_name'] });
    expect(await get(BOB)).toMatchObject({ first_name: 'Bob' });
  });

  test('keeps tokens that this service renewed or revoked', async () => {
    await service.pool.query(
      `update connection set token_version = 1, status = 'revoked', access_token = null, refresh_token = null
        where provider = 'google' and status = 'active'`,
    );
    await there.pool.query('update user_connection set updated_at = now() where id = $1', [idOf('c1')]);
    expect((await copy()).connections).toEqual({ new: 0, updated: 0 });
  });

  test('copies hashed API keys that work in this service', async () => {
    const key = `sk-${'fedcba9876543210'.repeat(2)}`;
    await hashKeysAsVersion8();
    await there.add('api_key', [
      {
        id: idOf('k1'),
        name: 'mobile',
        key_hash: createHash('sha256').update(key).digest('hex'),
        key_prefix: 'sk-fedcba9',
      },
      { id: idOf('k2'), name: 'bcrypt', key_hash: '$2b$12$made.up', key_prefix: 'sk-0000000' },
      { id: idOf('k3'), name: 'short', key_hash: 'abcd', key_prefix: 'sk-1111111' },
    ]);
    expect((await survey()).map((line) => line.trim())).toContain(
      '3 API keys that do not start with sk-, or whose hash is not a SHA-256: create them again',
    );
    expect((await copy()).apiKeys).toBe(1);
    const mobile = caller(service, { 'X-Open-Wearables-API-Key': key });
    expect((await mobile('GET', '/api/v1/users')).status).toBe(200);
    expect((await call('GET', '/api/v1/users')).status).toBe(200);
    const developer = caller(service, { Authorization: `Bearer ${await logIn()}` });
    const { body: keys } = await developer('GET', '/api/v1/developer/api-keys');
    expect(keys).toContainEqual(expect.objectContaining({ name: 'mobile', prefix: 'sk-fedcba9', last_four: '' }));
    expect((await copy()).apiKeys).toBe(0);
  });

  test('does not restore an API key that was revoked in this service', async () => {
    const developer = caller(service, { Authorization: `Bearer ${await logIn()}` });
    const { body: keys } = await developer('GET', '/api/v1/developer/api-keys');
    const { id } = keys.find(({ name }: { name: string }) => name === 'back end');
    expect((await developer('DELETE', `/api/v1/developer/api-keys/${id}`)).status).toBe(200);
    expect((await copy()).apiKeys).toBe(0);
    expect((await call('GET', '/api/v1/users')).status).toBe(401);
  });

  test('does not copy a user who is erased during the migration', async () => {
    const developer = caller(service, { Authorization: `Bearer ${await logIn()}` });
    const { users } = await copy(async (id) => {
      if (id === BOB) expect((await developer('DELETE', `/api/v1/users/${BOB}`)).status).toBe(200);
    });
    expect((await developer('GET', `/api/v1/users/${BOB}`)).status).toBe(404);
    expect(users).toEqual({ new: 0, here: 2, erased: 1 });
  });

  test('does not copy a user who was erased before', async () => {
    const developer = caller(service, { Authorization: `Bearer ${await logIn()}` });
    expect((await developer('DELETE', `/api/v1/users/${CARLA}`)).status).toBe(200);
    expect((await copy()).users).toEqual({ new: 0, here: 1, erased: 2 });
    expect((await developer('GET', `/api/v1/users/${CARLA}`)).status).toBe(404);
  });
});

/** Migrates the table of keys like version 0.8.0: replaces keys with hashes and short prefixes. */
async function hashKeysAsVersion8(): Promise<void> {
  await there.pool.query(`
    alter table api_key add column uuid_id uuid, add column key_hash varchar(64), add column key_prefix varchar(10);
    update api_key set uuid_id = gen_random_uuid(), key_hash = encode(sha256(convert_to(id, 'UTF8')), 'hex'),
      key_prefix = left(id, 10);
    alter table api_key drop column id;
    alter table api_key rename column uuid_id to id;
    alter table api_key add primary key (id), add unique (key_hash)`);
}

async function logIn(): Promise<string> {
  const { accounts, email, password } = service;
  return (await accounts.sessions.login({ email, password, address: undefined })).access_token;
}

async function stateOf(): Promise<Record<string, string>> {
  const sums = await healthChecksums(service);
  const { rows } = await service.pool.query<{ sum: string }>(
    `select md5(string_agg(c::text, '|' order by c.id)) as sum from connection c`,
  );
  return { ...sums, connection: rows[0]?.sum ?? '' };
}
