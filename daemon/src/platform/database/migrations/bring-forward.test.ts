import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { describeSchema } from '../../../../../test/support/schema.js';
import { migrate, pendingMigrations, SchemaTooNewError } from '../migrate.js';
import { migrationsTo } from './bring-forward.js';
import { areas, migrations } from './index.js';
import { superseded } from './superseded/index.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => database.drop());

/** Makes the database one that had these migrations and nothing else. */
async function standAt(steps: typeof migrations): Promise<void> {
  await database.pool.query('drop schema public cascade');
  await database.pool.query('create schema public');
  await migrate(database.url, steps);
}

const recorded = async () =>
  (await database.pool.query<{ name: string }>('select name from schema_migration order by name')).rows.map(
    ({ name }) => name,
  );
const namesOf = (steps: typeof migrations) => steps.map(({ name }) => name);

test('the migrations of the areas make the schema that the superseded ones made, to the order of columns', async () => {
  await standAt(superseded);
  const before = await describeSchema(database.pool);
  expect(before.columns?.length).toBeGreaterThan(300);
  expect(before.rows).toHaveLength(5 + 6 + 1);
  await standAt(areas);
  expect(await describeSchema(database.pool)).toEqual(before);
});

test('a database at the last superseded migration goes on with its rows, and runs nothing of the areas', async () => {
  await standAt(superseded);
  await database.pool.query("insert into erasure (hash, key, erased_at) values ('h', 'k', now())");
  expect(await migrate(database.url)).toEqual(namesOf(migrations.slice(areas.length)));
  expect(await recorded()).toEqual(namesOf(migrations));
  expect(await pendingMigrations(database.pool)).toEqual([]);
  expect((await database.pool.query('select hash from erasure')).rows).toEqual([{ hash: 'h' }]);
});

test('a database at any earlier superseded migration is brought forward by those that it lacks', async () => {
  await standAt(superseded);
  await migrate(database.url);
  const whole = await describeSchema(database.pool);
  for (const had of [1, 11, 24, superseded.length - 1]) {
    await standAt(superseded.slice(0, had));
    const ran = await migrate(database.url);
    expect(ran).toEqual([...namesOf(superseded.slice(had)), ...namesOf(migrations.slice(areas.length))]);
    expect(await recorded()).toEqual(namesOf(migrations));
    expect(await describeSchema(database.pool)).toEqual(whole);
  }
});

test('a database that had superseded migrations and one that is unknown here is one of a newer healthd', async () => {
  const next = { name: '2026-11-23_99_next', sql: 'create table next_step (id int)' };
  await standAt([...superseded, next]);
  await expect(migrate(database.url)).rejects.toThrow(SchemaTooNewError);
  expect(await recorded()).toContain(next.name);
});

test('a backup is restored through the migrations that its database had, at their end through those of the areas', async () => {
  expect(await migrationsTo(namesOf(migrations))).toEqual(migrations);
  expect(await migrationsTo(namesOf(superseded))).toEqual(areas);
  expect(await migrationsTo(namesOf(superseded.slice(0, 20)))).toEqual(superseded.slice(0, 20));
  expect(await migrationsTo([...namesOf(superseded), 'of a newer healthd'])).toBeUndefined();
});
