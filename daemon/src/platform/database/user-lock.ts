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
 * Locks the user's row until the transaction ends. Every transaction that writes health data of a user starts here, so
 * that roll-ups never miss rows of a parallel writer. Rows that only refer to the user (a received batch, a run) can be
 * added meanwhile.
 * @throws UserMissingError
 */
export async function lockUser(client: pg.ClientBase, userKey: number): Promise<void> {
  // Compiling a statement takes longer than any statement of a write, so servers that would are told not to.
  const { rowCount } = await client.query(
    "select set_config('jit', 'off', true) from health_user where user_key = $1 for no key update",
    [userKey],
  );
  if (rowCount === 0) throw new UserMissingError();
}
