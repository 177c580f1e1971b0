import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreBackup, writeBackup } from '@healthd/daemon/backup';
import { migrate, migrations, migrationsTo } from '@healthd/daemon/platform/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { describeSchema } from '../support/schema.js';

let folder: string;
let source: TestDatabase;
let target: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'old-backup-'));
  source = await createTestDatabase();
  target = await createTestDatabase();
});
afterAll(async () => {
  await source.drop();
  await target.drop();
  await rm(folder, { recursive: true });
});

/** Where the database of the old backup stands: long before the migrations were made one for each area. */
const HAD = [
  '2026-11-21_01_accounts',
  '2026-11-21_02_users',
  '2026-11-21_03_samples',
  '2026-11-21_04_sessions',
  '2026-11-21_05_runs',
];

async function empty({ pool }: TestDatabase): Promise<void> {
  await pool.query('drop schema public cascade');
  await pool.query('create schema public');
}

test('a backup from before the migrations were one for each area is restored, and its rows get the columns of today', async () => {
  const today = await describeSchema(source.pool);
  await empty(source);
  await empty(target);
  await migrate(source.url, (await migrationsTo(HAD)) ?? []);
  await source.pool.query(
    `insert into developer (id, email, password_hash) values (gen_random_uuid(), 'Ada@Example.com', 'x')`,
  );
  await source.pool.query(
    `insert into health_user (id, email) overriding user value values (gen_random_uuid(), 'bob@example.com')`,
  );
  await source.pool.query(
    `insert into sample (user_key, start_at, value, source_id, type_id, kind) values (1, '2026-03-10T00:00Z', 70, 1, 1, 0)`,
  );
  const path = join(folder, 'old.zip');
  const client = await source.pool.connect();
  const keys = { SECRET_KEY: 's', ENCRYPTION_KEY: 'e', SIGNING_KEY: 'k' };
  await writeBackup({
    client,
    keys,
    spoolDir: join(folder, 'spool'),
    isSandbox: false,
    path,
    erasures: async () => '',
  });
  client.release();

  await restoreBackup({ path, url: target.url, spoolDir: join(folder, 'restored'), erasures: [] });
  const { rows } = await target.pool.query<{ name: string }>('select name from schema_migration order by name');
  expect(rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
  const found = await target.pool.query(
    `select login_name, search_text, value from health_user join sample using (user_key), developer`,
  );
  expect(found.rows).toEqual([{ login_name: 'ada@example.com', search_text: 'bob@example.com\n \n', value: 70 }]);
  // Belongs to the restore; the program that applies the erasures removes it.
  await target.pool.query('drop table pending_erasure');
  const { rows: _restored, ...schema } = await describeSchema(target.pool);
  const { rows: _seeds, ...expected } = today;
  expect(schema).toEqual(expected);
});
