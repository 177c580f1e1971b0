import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEndingServer } from '../../../../test/support/ending-server.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { createPool, inTransaction, statement } from './pool.js';
import { withClient } from './with-client.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

const VALUES = `select 9007199254740991::int8 as large, date '2026-03-29' as day, current_setting('timezone') as zone,
  timestamptz '2026-03-29 01:30:00+02' as instant`;
const READ = {
  large: Number.MAX_SAFE_INTEGER,
  day: '2026-03-29',
  zone: 'UTC',
  instant: new Date('2026-03-28T23:30:00Z'),
};

it('reads int8 as number, date as text and timestamptz as UTC Date', async () => {
  expect((await database.pool.query(VALUES)).rows).toEqual([READ]);
});

it('throws for an int8 beyond the exact range of a number', async () => {
  await expect(database.pool.query('select 9007199254740993::int8 as large')).rejects.toThrow(RangeError);
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

it('ends a statement after its timeout', async () => {
  const pool = createPool({ url: database.url, statementTimeoutSeconds: 0.1 });
  await expect(pool.query('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' });
  await pool.end();
});

it('prepares a named statement once per connection', async () => {
  const double = statement('test.double', 'select $1::int * 2 as doubled');
  const client = await database.pool.connect();
  expect((await client.query(double([2]))).rows).toEqual([{ doubled: 4 }]);
  expect((await client.query(double([3]))).rows).toEqual([{ doubled: 6 }]);
  const { rows } = await client.query("select count(*) as n from pg_prepared_statements where name = 'test.double'");
  client.release();
  expect(rows).toEqual([{ n: 1 }]);
});

it('rolls back a transaction whose work fails', async () => {
  await database.pool.query('create table written (id int)');
  const failing = inTransaction(database.pool, async (client) => {
    await client.query('insert into written values (1)');
    throw new Error('in the middle');
  });
  await expect(failing).rejects.toThrow('in the middle');
  await inTransaction(database.pool, async (client) => client.query('insert into written values (2)'));
  expect((await database.pool.query('select id from written')).rows).toEqual([{ id: 2 }]);
});

it('fails only the transaction that loses its connection', async () => {
  const pool = createPool({ url: database.url, max: 2 });
  const broken = inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await client.query('select 1');
  });
  await expect(broken).rejects.toThrow();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

it('fails the next statement on a lost connection, not the process', async () => {
  const server = await openEndingServer(database.url);
  const pool = createPool({ url: server.url });
  const client = await pool.connect();
  await expect(client.query('select 1')).rejects.toThrow();
  client.release(true);
  await pool.end();
  await expect(withClient({ url: server.url }, (alone) => alone.query('select 1'))).rejects.toThrow();
  server.close();
});
