import type pg from 'pg';
import { FEED_SWITCH } from './feed-switch.js';
import { TransactionValue } from './transaction-state.js';

/** Thrown if the user does not exist or was erased. */
export class UserMissingError extends Error {
  override readonly name = 'UserMissingError';
  readonly code = 'user_missing';

  constructor() {
    super('The user does not exist.');
  }
}

/**
 * Identifies a user by key, by ID, or by the `user_key` of another table's row. `ownerOf` contains that table and a
 * condition on $1.
 */
export type LockedUser = { userKey: number } | { id: string } | { ownerOf: string; value: string };

/** Keys of the users that the transaction has locked. */
const LOCKED = new TransactionValue(() => new Set<number>());

/**
 * Locks the user's row of `user_state` until the transaction ends. Every transaction that writes a user's health data
 * takes this lock first, so that roll-ups never miss rows of a concurrent writer. Rows that only refer to the user (a
 * received batch, a run) can still be inserted. Sends nothing if the transaction already holds the lock.
 * @throws UserMissingError
 */
export async function lockUser(client: pg.ClientBase, userKey: number): Promise<void> {
  const locked = LOCKED.in(client);
  if (locked.has(userKey)) return;
  if (!(await lockUserIfExists(client, { userKey }))) throw new UserMissingError();
  locked.add(userKey);
}

/** Does the same as {@link lockUser}, but returns false if the user does not exist. */
export function lockUserIfExists(client: pg.ClientBase, user: LockedUser): Promise<boolean> {
  return lock(client, user, 'for no key update');
}

/**
 * Does the same as {@link lockUser} without waiting.
 * @returns false if another transaction holds the lock, or if the user does not exist
 */
export function tryLockUser(client: pg.ClientBase, userKey: number): Promise<boolean> {
  return lock(client, { userKey }, 'for no key update skip locked', { asksForSwitch: false });
}

/**
 * Returns {@link tryLockUser} as SQL for a larger statement. It yields one row with the user's key if no other
 * transaction holds the lock.
 */
export function tryLockUserSql(userKey: string): string {
  return `select user_key from user_state where user_key = ${userKey} for no key update skip locked`;
}

/**
 * Locks the user for an erasure. Also locks the row of `health_user`, because rows that only refer to the user must
 * wait too. A writer locks both rows in this order, because its inserted rows refer to the user.
 * @returns true if the user exists
 */
export async function lockUserForErasure(client: pg.ClientBase, userKey: number): Promise<boolean> {
  // The erasure deletes the row, so later locks of this transaction must look for it again.
  LOCKED.in(client).delete(userKey);
  await lock(client, { userKey }, 'for update');
  const { rowCount } = await client.query('select from health_user where user_key = $1 for update', [userKey]);
  return rowCount !== 0;
}

/** @param options.asksForSwitch false if the statement must not wait for a process that turns the feed on or off */
async function lock(
  client: pg.ClientBase,
  user: LockedUser,
  strength: string,
  { asksForSwitch = true } = {},
): Promise<boolean> {
  const [condition, value] = conditionOf(user);
  const feed = FEED_SWITCH.in(client);
  // Asks for the feed's switch here, so that recording changes needs no further statement.
  const isOn = asksForSwitch && feed.isOn === undefined ? ', is_feed_on() as is_on' : '';
  // Disables JIT for the transaction, because compiling takes longer than any statement of a write.
  const text = `select set_config('jit', 'off', true)${isOn} from user_state where ${condition} ${strength}`;
  const { rows } = await client.query<{ is_on?: boolean }>({ name: nameOf(text), text, values: [value] });
  feed.isOn ??= rows[0]?.is_on;
  return rows.length !== 0;
}

/** Statement names by SQL text. There are only a few texts. With a name, Postgres plans a text once per connection. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `user-lock-${names.size}`;
  names.set(text, name);
  return name;
}

function conditionOf(user: LockedUser): [condition: string, value: number | string] {
  if ('userKey' in user) return ['user_key = $1', user.userKey];
  if ('id' in user) return ['user_key = (select user_key from health_user where id = $1)', user.id];
  return [`user_key = (select user_key from ${user.ownerOf})`, user.value];
}
