import type { UserConnectionState, UserSortColumn } from '@healthd/contract';
import { normalizeUuid, type UserListResponse } from '@healthd/schemas';
import type pg from 'pg';
import { CONNECTION_STATE_SQL } from '../connections/index.js';
import { domainSpellings } from '../platform/email-domain.js';
import { behind, decodePosition, encodePosition, type ListPosition, positionValueSql } from './list-position.js';
import { LAST_SYNC_JOIN, USER_COLUMNS, type UserRow, userResponse } from './user-rows.js';

export interface UserListQuery {
  page: number;
  limit: number;
  sort_by: UserSortColumn;
  sort_order: 'asc' | 'desc';
  search?: string | undefined;
  email?: string | undefined;
  external_user_id?: string | undefined;
  provider?: string | undefined;
  connection?: UserConnectionState | undefined;
  /** `next_cursor` of a page in the same order: only return users after it. */
  after?: string | undefined;
}

/** Word that may be the start of an ID. Shorter words would match IDs by chance. */
const ID_PREFIX = /^[0-9a-f][0-9a-f-]{3,35}$/i;

/** Condition for users without a sync. */
const IS_NEVER_SYNCED = `not exists (select from user_state s
  where s.user_key = u.user_key and s.last_synced_at is not null)`;

/** Minimum length of a word whose trigrams narrow a search. */
const TRIGRAM = 3;

/** Conditions of the list with their parameters. */
interface Filter {
  conditions: string[];
  values: unknown[];
}

/** A user with the sort value of a position. */
interface ListedRow extends UserRow {
  position_value: string | null;
}

/**
 * Returns one page of users. Sorts users with equal values by ID. Users without a sync are last in descending order of
 * the last sync.
 * @throws Failure `unprocessable` on `query.after` for a cursor of another order
 */
export async function listUsers(pool: pg.Pool, query: UserListQuery): Promise<UserListResponse> {
  const { page, limit, after } = query;
  const position = after === undefined ? undefined : decodePosition(after, query.sort_by);
  const { conditions, values } = filter(query);
  const counted = pool.query<{ total: number }>(`select count(*) as total from health_user u ${whereOf(conditions)}`, [
    ...values,
  ]);
  const listed = pool.query<ListedRow>(pageSql(query, { conditions, values }, position), values);
  const [{ rows: counts }, { rows }] = await Promise.all([counted, listed]);
  const total = counts[0]?.total ?? 0;
  const pages = Math.ceil(total / limit);
  const items = rows.slice(0, limit);
  const hasNext = rows.length > limit;
  const last = hasNext ? items.at(-1) : undefined;
  return {
    items: items.map(userResponse),
    total,
    page,
    limit,
    pages,
    has_next: hasNext,
    has_prev: page > 1,
    next_cursor: last ? encodePosition({ sortBy: query.sort_by, value: last.position_value, id: last.id }) : null,
  };
}

/** Returns the statement for a page and the first user of the next page. Appends its parameters to the filter's. */
function pageSql(query: UserListQuery, { conditions, values }: Filter, position: ListPosition | undefined): string {
  const { sort_by: sortBy, sort_order: order } = query;
  const limit = `$${values.push(query.limit + 1)}`;
  const skipped = `$${values.push((query.page - 1) * query.limit)}`;
  const isSync = sortBy === 'last_synced_at';
  // Sorts nulls as Postgres does by default, except that users without a sync count as synced the longest ago.
  const nulls = (order === 'asc') === isSync ? 'first' : 'last';
  const where = (column: string, ...more: string[]) =>
    whereOf([...conditions, ...more, ...(position ? [behind(position, { column, order, nulls }, values)] : [])]);
  const positionValue = (column: string) => `${positionValueSql(column, sortBy)} as position_value`;
  if (isSync) {
    // Reads synced users in index order and all other users by ID. Reads no more rows of either group than the page can
    // need.
    const most = `limit ${limit}::bigint + ${skipped}::bigint`;
    return `select ${USER_COLUMNS}, last_synced_at, last_synced_provider, ${positionValue('u.last_synced_at')} from (
        (select u.*, s.last_synced_at, s.last_synced_provider
           from user_state s join health_user u using (user_key) ${where('s.last_synced_at', 's.last_synced_at is not null')}
          order by s.last_synced_at ${order}, u.id ${most})
        union all
        (select u.*, null, null from health_user u
         ${where('null::timestamptz', IS_NEVER_SYNCED)}
          order by u.id ${most})
      ) u order by last_synced_at ${order} nulls ${nulls}, u.id limit ${limit} offset ${skipped}`;
  }
  // Limits the page before the join, so that last syncs are looked up only for the page's users.
  return `select ${USER_COLUMNS}, last_synced_at, last_synced_provider, ${positionValue(`u.${sortBy}`)}
    from (select * from health_user u ${where(`u.${sortBy}`)} order by u.${sortBy} ${order}, u.id
          limit ${limit} offset ${skipped}) u ${LAST_SYNC_JOIN}
    order by u.${sortBy} ${order}, u.id`;
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
}

function filter(query: UserListQuery): Filter {
  const values: unknown[] = [];
  const conditions: string[] = [];
  for (const word of query.search?.split(/\s+/).filter(Boolean) ?? []) {
    const inText = partOfText(word, values);
    const ids = idsWithPrefix(word);
    const inId = ids && `u.id between $${values.push(ids.first)} and $${values.push(ids.last)}`;
    conditions.push(inId ? `(${inText} or ${inId})` : inText);
  }
  if (query.email !== undefined) conditions.push(`u.email = any ($${values.push(domainSpellings(query.email))})`);
  if (query.external_user_id !== undefined) {
    conditions.push(`u.external_user_id = $${values.push(query.external_user_id)}`);
  }
  if (query.provider !== undefined || query.connection !== undefined) conditions.push(connected(query, values));
  return { conditions, values };
}

/**
 * Returns a condition for text that contains the word. The word's trigrams find candidates by index; a shorter word has
 * no trigrams.
 */
function partOfText(word: string, values: unknown[]): string {
  const escaped = `$${values.push(word.replaceAll(/[\\%_]/g, String.raw`\$&`))}`;
  const isPart = `u.search_text like '%' || search_form(${escaped}) || '%'`;
  if (word.length < TRIGRAM) return isPart;
  const trigrams = `search_trigrams(search_form($${values.push(word)}))`;
  return `(search_trigrams(u.search_text) @> ${trigrams} and ${isPart})`;
}

/** Returns the range of IDs with a prefix, which the ID index supports; undefined if no ID can start with the word. */
function idsWithPrefix(word: string): { first: string; last: string } | undefined {
  if (!ID_PREFIX.test(word)) return undefined;
  const digits = word.replaceAll('-', '');
  const first = normalizeUuid(digits.padEnd(32, '0'));
  const last = normalizeUuid(digits.padEnd(32, 'f'));
  // Rejects dashes in positions where a UUID has no dash.
  return first && last && first.startsWith(word.toLowerCase()) ? { first, last } : undefined;
}

/** Returns a condition for users with a connection of this provider and state. State `none`: without a connection. */
function connected({ provider, connection }: UserListQuery, values: unknown[]): string {
  const states: Partial<Record<UserConnectionState, string>> = CONNECTION_STATE_SQL;
  const conditions = [
    'c.user_key = u.user_key',
    provider === undefined ? undefined : `c.provider = $${values.push(provider)}`,
    connection === undefined ? undefined : states[connection],
  ].filter((condition) => condition !== undefined);
  return `${connection === 'none' ? 'not ' : ''}exists (select from connection c where ${conditions.join(' and ')})`;
}
