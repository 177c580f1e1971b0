import type { ConnectionState } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ConnectionList, ListedConnection } from '@healthd/schemas';
import type pg from 'pg';
import { decodeInstantCursor, encodeInstantCursor } from '../../platform/instant-cursor.js';

/** Filters of a connection list. Omitted members do not filter. */
export interface ConnectionListQuery {
  user_id?: string | undefined;
  provider?: ProviderId | undefined;
  state?: ConnectionState | undefined;
  limit: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined;
}

/** SQL for each state of `connection c`. */
export const CONNECTION_STATE_SQL: Readonly<Record<ConnectionState, string>> = {
  active: `c.status = 'active'`,
  failing: `c.status = 'active' and c.failing_since is not null`,
  ended: `c.status <> 'active'`,
};

const ORDER = 'v1';

const INSTANTS = ['last_synced_at', 'last_error_at', 'failing_since', 'created_at'] as const;

type Row = Omit<ListedConnection, (typeof INSTANTS)[number]> &
  Record<(typeof INSTANTS)[number], Date | null> & { created_micros: number };

/** Returns one page of all users' connections, newest first. @throws Failure `unprocessable` for an invalid cursor */
export async function listAllConnections(pool: pg.Pool, query: ConnectionListQuery): Promise<ConnectionList> {
  const values: unknown[] = [];
  const conditions: string[] = [];
  if (query.user_id !== undefined) conditions.push(`u.id = $${values.push(query.user_id)}`);
  if (query.provider !== undefined) conditions.push(`c.provider = $${values.push(query.provider)}`);
  if (query.state !== undefined) conditions.push(CONNECTION_STATE_SQL[query.state]);
  if (query.cursor !== undefined) {
    const { micros, id } = decodeInstantCursor(ORDER, query.cursor, 'cursor');
    const instant = `timestamptz 'epoch' + $${values.push(micros)}::bigint * interval '1 microsecond'`;
    conditions.push(`(c.created_at, c.id) < (${instant}, $${values.push(id)}::uuid)`);
  }
  const { rows } = await pool.query<Row>(
    `select c.id, u.id as user_id, u.first_name, u.last_name, u.email, c.provider, c.status, c.status_reason, c.account_state,
       c.access_token is not null as has_authorization, c.last_synced_at, c.last_error, c.last_error_at, c.failing_since,
       c.created_at, (extract(epoch from c.created_at) * 1000000)::bigint as created_micros
     from connection c join health_user u using (user_key)
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by c.created_at desc, c.id desc limit $${values.push(query.limit + 1)}`,
    values,
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = rows.length > query.limit;
  return {
    data: page.map(({ created_micros: _, ...row }) => ({
      ...row,
      last_synced_at: row.last_synced_at?.toISOString() ?? null,
      last_error_at: row.last_error_at?.toISOString() ?? null,
      failing_since: row.failing_since?.toISOString() ?? null,
      created_at: (row.created_at as Date).toISOString(),
    })),
    pagination: {
      next_cursor: hasMore && last ? encodeInstantCursor(ORDER, { micros: last.created_micros, id: last.id }) : null,
      previous_cursor: null,
      has_more: hasMore,
      total_count: null,
    },
  };
}
