import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { inTransaction } from './pool.js';
import { lockUser, lockUserForErasure, UserMissingError } from './user-lock.js';

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

/** True if another connection cannot lock the user. */
async function isLocked(userKey: number): Promise<boolean> {
  const { rowCount } = await fixture.pool.query(
    'select from user_state where user_key = $1 for no key update skip locked',
    [userKey],
  );
  return rowCount === 0;
}

it('holds a repeatedly taken lock until the transaction ends', async () => {
  const [first, second] = [await fixture.newUser(), await fixture.newUser()];
  await inTransaction(fixture.pool, async (client) => {
    for (const user of [first, second, first, second]) await lockUser(client, user);
    expect([await isLocked(first), await isLocked(second)]).toEqual([true, true]);
  });
  expect([await isLocked(first), await isLocked(second)]).toEqual([false, false]);
});

it('takes the lock again in the next transaction of the connection', async () => {
  const user = await fixture.newUser();
  for (let turn = 0; turn < 2; turn++) {
    await inTransaction(fixture.pool, async (own) => {
      await lockUser(own, user);
      expect(await isLocked(user)).toBe(true);
    });
  }
});

it('finds no user that the transaction has erased', async () => {
  const user = await fixture.newUser();
  await inTransaction(fixture.pool, async (client) => {
    await lockUser(client, user);
    expect(await lockUserForErasure(client, user)).toBe(true);
    await client.query('delete from user_state where user_key = $1', [user]);
    await expect(lockUser(client, user)).rejects.toThrow(UserMissingError);
  });
});
