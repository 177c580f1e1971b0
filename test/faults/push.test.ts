import { afterAll, describe, expect, it } from 'vitest';
import { startTestMongod } from '../support/mongod.js';
import { type LoadCounts, type Phone, phoneBatch, sendUntil } from './push-load.js';
import { closeWorld, disturb, drained, KILLS, LIMIT_MS, openWorld, recover, type World } from './push-world.js';
import { expectRunsOnce, expectSessionsOnce } from './stored-once.js';

const started = await startTestMongod();
afterAll(() => started.mongod?.close());

describe.each([
  { store: 'Postgres', mongod: undefined, missing: undefined },
  { store: 'MongoDB', mongod: started.mongod, missing: started.mongod ? undefined : started.reason },
])('pushing phones during faults, jobs in $store', ({ mongod, missing }) => {
  it.skipIf(missing !== undefined)(
    `stores every acknowledged batch exactly once`,
    async () => {
      const world = await openWorld(mongod);
      try {
        const counts: LoadCounts = { accepted: 0, later: 0, lost: 0, wrong: [] };
        const stop = new AbortController();
        const service = { url: () => world.api.url, headers: world.headers };
        const sending = world.phones.map((phone) => sendUntil(phone, service, counts, stop.signal));
        const kills = await disturb(world, counts);
        stop.abort();
        await recover(world);
        await Promise.all(sending);
        await drained(world);
        console.log(`${kills} kills; ${JSON.stringify({ ...counts, wrong: counts.wrong.length })}`);
        expect(counts.wrong).toEqual([]);
        expect([world.api, ...world.workers].flatMap(({ endedAlone }) => endedAlone)).toEqual([]);
        expect(kills).toBeGreaterThanOrEqual(KILLS);
        expect(counts.later + counts.lost).toBeGreaterThan(0);
        for (const phone of world.phones) await expectStoredOnce(world, phone);
      } finally {
        await closeWorld(world);
      }
    },
    LIMIT_MS,
  );
});

async function expectStoredOnce({ database: { pool } }: World, { userId, accepted, made }: Phone): Promise<void> {
  const one = async (sql: string, values: unknown[] = [userId]) =>
    (await pool.query<Record<string, unknown>>(sql, values)).rows[0];
  const ofUser = 'user_key = (select user_key from health_user where id = $1)';
  const { records } = phoneBatch(0);
  expect(accepted.length).toBe(made);
  expect(await one(`select count(*)::int as n, sum(value) as steps from sample where ${ofUser}`)).toEqual({
    n: made * records,
    steps: (made * records * (records + 1)) / 2,
  });
  // The roll-ups must equal the sums of their samples.
  expect(await one(`select sum(sample_sum)::float8 as steps from day_value where ${ofUser}`)).toEqual({
    steps: (made * records * (records + 1)) / 2,
  });
  await expectSessionsOnce(pool, { userId, made });
  await expectRunsOnce(pool, accepted);
}
