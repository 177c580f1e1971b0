import type { UserSortColumn } from '@healthd/contract';
import type pg from 'pg';
import { unprocessable } from '../platform/failures.js';

/** A user's place in the list in one order; the value as text, which is exact to the microsecond. */
export interface ListPosition {
  id: string;
  value: string | null;
}

const COLUMN_TYPES: Readonly<Record<UserSortColumn, string>> = {
  created_at: 'timestamptz',
  email: 'text',
  first_name: 'text',
  last_name: 'text',
  last_synced_at: 'timestamptz',
};

/** Where a user stands. @throws Failure `unprocessable` on `query.after` when there is no such user */
export async function positionOf(pool: pg.Pool, id: string, sortBy: UserSortColumn): Promise<ListPosition> {
  const { rows } = await pool.query<{ value: string | null }>(
    `select ${sortBy}::text as value from health_user left join user_last_sync using (user_key) where id = $1`,
    [id],
  );
  if (!rows[0]) throw unprocessable(['query', 'after'], 'There is no user with this id.');
  return { id, value: rows[0].value };
}

/**
 * The condition for users behind a position, in the form that an index of the column can follow.
 * @param column the expression that the list is sorted by
 * @param nulls where users without a value stand
 */
export function behind(
  { id, value }: ListPosition,
  {
    column,
    sortBy,
    order,
    nulls,
  }: { column: string; sortBy: UserSortColumn; order: 'asc' | 'desc'; nulls: 'first' | 'last' },
  values: unknown[],
): string {
  const isLater = `u.id > $${values.push(id)}`;
  if (value === null) {
    const among = `${column} is null and ${isLater}`;
    return nulls === 'first' ? `(${among} or ${column} is not null)` : `(${among})`;
  }
  const sign = order === 'asc' ? '>' : '<';
  const place = `$${values.push(value)}::${COLUMN_TYPES[sortBy]}`;
  const among = `${column} ${sign}= ${place} and (${column} ${sign} ${place} or ${isLater})`;
  return nulls === 'first' ? `(${among})` : `(${among} or ${column} is null)`;
}
