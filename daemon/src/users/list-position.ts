import { USER_SORT_COLUMNS, type UserSortColumn } from '@healthd/contract';
import { z } from 'zod';
import { unprocessable } from '../platform/failures.js';

/** A position in the list of users in one order. It stays valid if its user changes or is deleted. */
export interface ListPosition {
  sortBy: UserSortColumn;
  /** Sort value of the user at this position: text, or a time in epoch microseconds. */
  value: string | null;
  /** ID of the user at this position. */
  id: string;
}

const INSTANTS: ReadonlySet<UserSortColumn> = new Set(['created_at', 'last_synced_at']);
const MICROS = /^-?\d{1,16}$/;

// Form of a cursor. Excludes NUL characters, which Postgres cannot store in text.
const cursorForm = z.tuple([
  z.enum(USER_SORT_COLUMNS),
  z
    .string()
    .refine((text) => !text.includes('\0'))
    .nullable(),
  z.guid(),
]);

/** Encodes a position as a cursor. */
export function encodePosition({ sortBy, value, id }: ListPosition): string {
  return Buffer.from(JSON.stringify([sortBy, value, id])).toString('base64url');
}

/**
 * Decodes a cursor. @throws Failure `unprocessable` on `query.after` for an invalid cursor or a cursor of another order
 */
export function decodePosition(text: string, sortBy: UserSortColumn): ListPosition {
  const [column, value, id] = parsed(text);
  if (column !== sortBy) {
    throw unprocessable(['query', 'after'], `The cursor belongs to a list that is sorted by ${column}.`);
  }
  if (value !== null && INSTANTS.has(column) && !MICROS.test(value)) throw invalidCursor();
  return { sortBy, value, id };
}

function parsed(text: string): z.infer<typeof cursorForm> {
  try {
    return cursorForm.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    throw invalidCursor();
  }
}

function invalidCursor() {
  return unprocessable(['query', 'after'], 'Invalid cursor format.');
}

/**
 * Returns SQL for a row's sort value, exact to the microsecond. @param column expression by which the list is sorted
 */
export function positionValueSql(column: string, sortBy: UserSortColumn): string {
  return INSTANTS.has(sortBy) ? `(extract(epoch from ${column}) * 1000000)::bigint::text` : `${column}::text`;
}

/**
 * Returns the condition for users after a position, in a form that an index on the column supports.
 * @param column expression by which the list is sorted
 * @param nulls position of users without a value
 */
export function behind(
  { sortBy, id, value }: ListPosition,
  { column, order, nulls }: { column: string; order: 'asc' | 'desc'; nulls: 'first' | 'last' },
  values: unknown[],
): string {
  const isLater = `u.id > $${values.push(id)}`;
  if (value === null) {
    const among = `${column} is null and ${isLater}`;
    return nulls === 'first' ? `(${among} or ${column} is not null)` : `(${among})`;
  }
  const sign = order === 'asc' ? '>' : '<';
  const parameter = `$${values.push(value)}`;
  const place = INSTANTS.has(sortBy)
    ? `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`
    : `${parameter}::text`;
  const among = `${column} ${sign}= ${place} and (${column} ${sign} ${place} or ${isLater})`;
  return nulls === 'first' ? `(${among})` : `(${among} or ${column} is null)`;
}
