import { afterAll, beforeAll, expect, it } from 'vitest';
import { openParts } from '../../../test/support/composed.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const limitTo = (connections: number) =>
  database.pool.query(
    `do $$ begin execute format('alter database %I connection limit ${connections}', current_database()); end $$`,
  );
const open = (jobs: number) =>
  openParts({ databaseUrl: database.url, role: 'worker', env: { JOB_CONCURRENCY: String(jobs) } });

it('leaves connections for requests while every job holds a connection', async () => {
  const { parts, close } = await open(64);
  const held = await Promise.all(Array.from({ length: 64 }, () => parts.pool.connect()));
  try {
    expect((await parts.pool.query('select 1 as answer')).rows).toEqual([{ answer: 1 }]);
  } finally {
    for (const client of held) client.release();
    await close();
  }
});

it('rejects more jobs than the database connections allow', async () => {
  await limitTo(60);
  await expect(open(64)).rejects.toThrow(
    'JOB_CONCURRENCY: 64 jobs need up to 218 database connections, but the server allows 60; at most 11',
  );
  await (await open(11)).close();
});

it('starts with default settings on a database with few connections', async () => {
  await limitTo(25);
  await (await open(4)).close();
});
