import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { createPool } from './pool.js';
import { SharedSlots } from './shared-slots.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('grants a slot to one of two processes', async () => {
  const [first, second] = [new SharedSlots(database.pool), new SharedSlots(database.pool)];
  const release = await first.acquire('a');
  expect(release).toBeDefined();
  expect(await first.acquire('a')).toBeUndefined();
  expect(await second.acquire('a')).toBeUndefined();
  const other = await second.acquire('b');
  expect(other).toBeDefined();
  await release?.();
  const next = await second.acquire('a');
  expect(next).toBeDefined();
  await Promise.all([next?.(), other?.()]);
});

it('grants a released slot immediately', async () => {
  const slots = new SharedSlots(database.pool);
  for (let count = 0; count < 20; count++) {
    const release = await slots.acquire('a');
    expect(release).toBeDefined();
    void release?.();
  }
});

it('holds many slots with one connection', async () => {
  const pool = createPool({ url: database.url, max: 1 });
  const slots = new SharedSlots(pool);
  const releases = await Promise.all(Array.from({ length: 20 }, (_, index) => slots.acquire(`many ${index}`)));
  expect(releases.every((release) => release !== undefined)).toBe(true);
  await Promise.all(releases.map((release) => release?.()));
  expect([pool.idleCount, pool.waitingCount]).toEqual([1, 0]);
  await pool.end();
});

it('loses its slots to other processes when the connection breaks', async () => {
  const pool = createPool({ url: database.url, max: 2 });
  const [first, second] = [new SharedSlots(pool), new SharedSlots(database.pool)];
  const release = await first.acquire('broken');
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())`,
  );
  await expect
    .poll(async () => {
      const taken = await second.acquire('broken');
      await taken?.();
      return taken !== undefined;
    })
    .toBe(true);
  expect(await first.acquire('broken')).toBeUndefined();
  await release?.();
  const again = await first.acquire('broken');
  expect(again).toBeDefined();
  await again?.();
  await pool.end();
});
