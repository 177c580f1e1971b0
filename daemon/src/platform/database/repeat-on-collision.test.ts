import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { inTransaction, inTransactionOnce } from './pool.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('create table account (id int primary key, amount int not null)');
});
beforeEach(async () => {
  await database.pool.query('truncate account');
  await database.pool.query('insert into account values (1, 0), (2, 0)');
});
afterAll(async () => database.drop());

const add = (client: pg.ClientBase, id: number) =>
  client.query('update account set amount = amount + 1 where id = $1', [id]);
const amounts = async () =>
  (await database.pool.query<{ amount: number }>('select amount from account order by id')).rows.map(
    ({ amount }) => amount,
  );

/** Returns a barrier for two callers; later calls pass immediately. */
function meetingOfTwo(): () => Promise<void> {
  let come = 0;
  let open = () => {};
  const both = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async () => {
    if (++come === 2) open();
    await both;
  };
}

/** Runs two transactions, each of which locks a row that the other transaction needs next. */
function deadlocked(run: typeof inTransaction) {
  const meet = meetingOfTwo();
  let tries = 0;
  const transfer = (first: number, second: number) =>
    run(database.pool, async (client) => {
      tries++;
      await add(client, first);
      await meet();
      await add(client, second);
    });
  const both = Promise.allSettled([transfer(1, 2), transfer(2, 1)]);
  return both.then((ends) => ({ ends, tries }));
}

it('commits two deadlocked transactions after a retry', async () => {
  const { ends, tries } = await deadlocked(inTransaction);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  expect(tries).toBe(3);
  expect(await amounts()).toEqual([2, 2]);
});

it('does not retry a run-once transaction after a deadlock', async () => {
  const { ends, tries } = await deadlocked(inTransactionOnce);
  expect(ends.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: '40P01' } }]);
  expect(tries).toBe(2);
  expect(await amounts()).toEqual([1, 1]);
});

it('reruns a transaction on the new data after a conflicting change', async () => {
  const meet = meetingOfTwo();
  const increase = () =>
    inTransaction(database.pool, async (client) => {
      await client.query('set transaction isolation level repeatable read');
      const { rows } = await client.query<{ amount: number }>('select amount from account where id = 1');
      await meet();
      await client.query('update account set amount = $1 where id = 1', [(rows[0]?.amount ?? 0) + 1]);
    });
  await Promise.all([increase(), increase()]);
  expect(await amounts()).toEqual([2, 0]);
});

it.each([
  ['five times after conflicts', '40001', 5],
  ['once after any other failure', '23514', 1],
])('throws the database error after trying a transaction %s', async (_, code, times) => {
  let tries = 0;
  const failing = inTransaction(database.pool, async (client) => {
    tries++;
    await client.query(`do $$ begin raise exception 'refused' using errcode = '${code}'; end $$`);
  });
  await expect(failing).rejects.toMatchObject({ code });
  expect(tries).toBe(times);
});
