import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { migrate, pendingMigrations, SchemaTooNewError } from './migrate.js';
import { migrations } from './migrations/index.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => database.drop());

const next = { name: '9999-01-01_01_next', sql: 'create table next_step (id int); insert into next_step values (1)' };

it('finds no pending migrations in a migrated database', async () => {
  expect(await migrate(database.url)).toEqual([]);
  expect(await pendingMigrations(database.pool)).toEqual([]);
});

it('runs each migration once if daemons start together', async () => {
  const ran = await Promise.all([1, 2, 3].map(async () => migrate(database.url, [...migrations, next])));
  expect(ran.flat()).toEqual([next.name]);
  expect((await database.pool.query('select count(*) as n from next_step')).rows).toEqual([{ n: 1 }]);
});

it('rolls back a failed migration, then reruns it completely', async () => {
  const broken = { name: next.name, sql: `${next.sql}; select 1 / 0` };
  await expect(migrate(database.url, [...migrations, broken])).rejects.toThrow();
  expect((await database.pool.query("select to_regclass('next_step') as found")).rows).toEqual([{ found: null }]);
  expect(await migrate(database.url, [...migrations, next])).toEqual([next.name]);
});

it('keeps the migrations before a failed migration', async () => {
  const broken = { name: '9999-01-01_02_broken', sql: 'select 1 / 0' };
  await expect(migrate(database.url, [...migrations, next, broken])).rejects.toThrow();
  const later = { name: broken.name, sql: 'insert into next_step values (2)' };
  expect(await migrate(database.url, [...migrations, next, later])).toEqual([later.name]);
  expect((await database.pool.query('select id from next_step order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
});

it('rejects a database of a newer healthd', async () => {
  await migrate(database.url, [...migrations, next]);
  await expect(migrate(database.url)).rejects.toThrow(SchemaTooNewError);
});
