import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import { inTransaction } from '../platform/database/index.js';
import { eraseUserIn } from './erase-user.js';

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

it("returns the names of the erased user's files", async () => {
  const [erased, other] = [await fixture.newUser(), await fixture.newUser()];
  for (const [name, userKey] of [
    ['first', erased],
    ['second', erased],
    ['other', other],
  ] as const) {
    await fixture.pool.query(
      `insert into import_file (id, run_id, user_key, provider, spool_name, byte_size, sha256, state)
       values ($1, $2, $3, 'apple', $2, 1, '', 'received')`,
      [randomUUID(), name, userKey],
    );
  }
  const user = { id: randomUUID(), userKey: erased };
  const erase = () => inTransaction(fixture.pool, (client) => eraseUserIn(client, async () => {}, user));
  expect((await erase())?.toSorted()).toEqual(['first', 'second']);
  expect(await erase()).toBeUndefined();
  const { rows } = await fixture.pool.query('select spool_name from import_file');
  expect(rows).toEqual([{ spool_name: 'other' }]);
});
