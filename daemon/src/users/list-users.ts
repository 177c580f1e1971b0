import type { UserSortColumn } from '@healthd/contract';
import type { UserListResponse } from '@healthd/schemas';
import type pg from 'pg';
import { domainSpellings } from '../platform/email-domain.js';
import { LAST_SYNC_JOIN, USER_COLUMNS, type UserRow, userResponse } from './user-rows.js';

export interface UserListQuery {
  page: number;
  limit: number;
  sort_by: UserSortColumn;
  sort_order: 'asc' | 'desc';
  search?: string | undefined;
  email?: string | undefined;
  external_user_id?: string | undefined;
}

/** Shorter words are found in ids by chance. */
const ID_BEGINNING = /^[0-9a-f][0-9a-f-]{3,35}$/i;

/** One page of the users. Ties are broken by id; users never synced come last when the newest sync is asked first. */
export async function listUsers(pool: pg.Pool, query: UserListQuery): Promise<UserListResponse> {
  const { where, values } = filter(query);
  const counted = pool.query<{ total: number }>(`select count(*) as total from health_user u ${where}`, values);
  const skipped = (query.page - 1) * query.limit;
  const listed = pool.query<UserRow>(pageSql(query, where, values.length), [...values, query.limit, skipped]);
  const [{ rows: counts }, { rows }] = await Promise.all([counted, listed]);
  const total = counts[0]?.total ?? 0;
  const pages = Math.ceil(total / query.limit);
  const { page, limit } = query;
  return { items: rows.map(userResponse), total, page, limit, pages, has_next: page < pages, has_prev: page > 1 };
}

function pageSql({ sort_by, sort_order }: UserListQuery, where: string, valueCount: number): string {
  const limits = `limit $${valueCount + 1} offset $${valueCount + 2}`;
  if (sort_by === 'last_synced_at') {
    const order = sort_order === 'asc' ? 'asc nulls first' : 'desc nulls last';
    return `select ${USER_COLUMNS}, last_synced_at, last_synced_provider from health_user u ${LAST_SYNC_JOIN} ${where}
      order by last_synced_at ${order}, u.id ${limits}`;
  }
  // The page is cut before the join, so that syncs are looked up for its users alone.
  return `select ${USER_COLUMNS}, last_synced_at, last_synced_provider
    from (select * from health_user u ${where} order by u.${sort_by} ${sort_order}, u.id ${limits}) u ${LAST_SYNC_JOIN}
    order by u.${sort_by} ${sort_order}, u.id`;
}

function filter(query: UserListQuery): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [];
  for (const word of query.search?.split(/\s+/).filter(Boolean) ?? []) {
    const escaped = `$${values.push(word.replaceAll(/[\\%_]/g, String.raw`\$&`))}`;
    const inText = `u.search_text like '%' || search_form(${escaped}) || '%'`;
    conditions.push(ID_BEGINNING.test(word) ? `(${inText} or u.id::text like lower(${escaped}) || '%')` : inText);
  }
  if (query.email !== undefined) conditions.push(`u.email = any ($${values.push(domainSpellings(query.email))})`);
  if (query.external_user_id !== undefined) {
    conditions.push(`u.external_user_id = $${values.push(query.external_user_id)}`);
  }
  return { where: conditions.length > 0 ? `where ${conditions.join(' and ')}` : '', values };
}
