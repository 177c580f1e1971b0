import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { newUser } from '../../../test/support/recorded-user.js';
import { inTransaction } from '../platform/database/index.js';
import { setFeed } from './epoch.js';
import { eraseChanges } from './outbox.js';
import { readFeed, readPosition } from './read-changes.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await setFeed(database.pool, true);
});
afterAll(() => database.drop());

/** Number of entries of other kinds, more than one page reads. */
const OTHERS = 20_001;

describe('a page that requests a rare kind', () => {
  it('is empty but not last if many other entries come first', async () => {
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

describe('an erasure without an ordinal', () => {
  // No sequencer runs here, so entries have no ordinal before this call.
  const number = () => database.pool.query('select assign_ordinals(5000, true)');
  const query = { kinds: undefined, userKey: undefined, limit: 100 };
  const begin = async (limit = 100) => {
    const { cursor } = await readFeed(database.pool, { ...query, limit, cursor: undefined });
    return cursor;
  };
  const erasedAfter = async (cursor: string, limit = 100) => {
    const erased: unknown[] = [];
    for (let from = cursor; ; ) {
      const page = await readFeed(database.pool, { ...query, limit, cursor: from });
      erased.push(...page.items.flatMap((item) => (item.action === 'deleted' ? [item.user_id] : [])));
      if (!page.hasMore) return erased;
      from = page.cursor;
    }
  };
  const erase = async () => {
    const user = await newUser(database);
    await inTransaction(database.pool, (client) => eraseChanges(client, user));
    return user.id;
  };

  it('appears only to readers that started before the erasure', async () => {
    // Starts a new epoch, so that all entries belong to this test.
    await setFeed(database.pool, false);
    await setFeed(database.pool, true);
    const { userKey } = await newUser(database);
    await newUser(database);
    await number();
    const [older, olderInside] = [await begin(), await begin(1)];
    const { cursor: olderSnapshot } = await readPosition(database.pool, userKey);
    const first = await erase();
    const [newer, newerInside] = [await begin(), await begin(1)];
    const { cursor: newerSnapshot } = await readPosition(database.pool, userKey);
    const second = await erase();
    await number();
    for (const cursor of [older, olderSnapshot]) expect(await erasedAfter(cursor)).toEqual([first, second]);
    for (const cursor of [newer, newerSnapshot]) expect(await erasedAfter(cursor)).toEqual([second]);
    expect(await erasedAfter(olderInside, 1)).toEqual([first, second]);
    expect(await erasedAfter(newerInside, 1)).toEqual([second]);
    expect(await erasedAfter(await begin())).toEqual([]);
  });
});
