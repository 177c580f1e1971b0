import type pg from 'pg';

/** The user that data is written for does not exist, or was erased meanwhile. */
export class UserMissingError extends Error {
  override readonly name = 'UserMissingError';
  readonly code = 'user_missing';

  constructor() {
    super('The user does not exist.');
  }
}

/**
 * Which user: by key, by id, or the one whose `user_key` a row of another table has (`ownerOf` is its table and
 * condition on $1).
 */
export type LockedUser = { userKey: number } | { id: string } | { ownerOf: string; value: string };

/**
 * Locks the user's row until the transaction ends. Every transaction that writes health data of a user starts here, so
 * that roll-ups never miss rows of a parallel writer. Rows that only refer to the user (a received batch, a run) can be
 * added meanwhile.
 * @throws UserMissingError
 */
export async function lockUser(client: pg.ClientBase, userKey: number): Promise<void> {
  if (!(await lockUserIfExists(client, { userKey }))) throw new UserMissingError();
}

/** As {@link lockUser}. @returns whether the user exists */
export function lockUserIfExists(client: pg.ClientBase, user: LockedUser): Promise<boolean> {
  return lock(client, user, 'for no key update');
}

/** As {@link lockUser}, but waits for no one. @returns false when another transaction holds the row, or there is none */
export function tryLockUser(client: pg.ClientBase, userKey: number): Promise<boolean> {
  return lock(client, { userKey }, 'for no key update skip locked');
}

/** What {@link tryLockUser} does as a part of a larger statement: one row with the user's key when no one else holds it. */
export function tryLockUserSql(userKey: string): string {
  return `select user_key from health_user where user_key = ${userKey} for no key update skip locked`;
}

/**
 * Locks the row of a user who is to be erased: also rows that only refer to the user wait.
 * @returns whether the user exists
 */
export function lockUserForErasure(client: pg.ClientBase, userKey: number): Promise<boolean> {
  return lock(client, { userKey }, 'for update');
}

async function lock(client: pg.ClientBase, user: LockedUser, strength: string): Promise<boolean> {
  const [condition, value] = conditionOf(user);
  // Compiling a statement takes longer than any statement of a write, so it is switched off for the statement.
  const { rowCount } = await client.query(
    `select set_config('jit', 'off', true) from health_user where ${condition} ${strength}`,
    [value],
  );
  return rowCount !== 0;
}

function conditionOf(user: LockedUser): [condition: string, value: number | string] {
  if ('userKey' in user) return ['user_key = $1', user.userKey];
  if ('id' in user) return ['id = $1', user.id];
  return [`user_key = (select user_key from ${user.ownerOf})`, user.value];
}
