import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { setFeed } from './epoch.js';
import { readFeed } from './read-changes.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await setFeed(database.pool, true);
});
afterAll(() => database.drop());

/** Number of entries of other kinds, more than one page reads. */
const OTHERS = 20_001;

describe('a page of a rare kind', () => {
  it('is empty but not the last page after many other entries', async () => {
    await database.pool.query(
      `insert into change (user_key, is_data, number, at, ordinal, kind, body)
       select 0, false, n, now(), n, case when n > ${OTHERS} then 'sleep' else 'run' end, '{"action": "created"}'
         from generate_series(1, ${OTHERS} + 1) n`,
    );
    await database.pool.query(`update feed_state set last_ordinal = ${OTHERS} + 1`);
    const query = { kinds: ['sleep'], userKey: undefined, limit: 10 };
    const first = await readFeed(database.pool, { ...query, cursor: undefined });
    expect(first).toMatchObject({ items: [], hasMore: true });
    const second = await readFeed(database.pool, { ...query, cursor: first.cursor });
    expect(second).toMatchObject({ items: [{ kind: 'sleep' }], hasMore: false });
    const third = await readFeed(database.pool, { ...query, cursor: second.cursor });
    expect(third).toMatchObject({ items: [], hasMore: false });
  });
});
