import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import type { NumberedEvent } from './event-frames.js';

/** Events that an earlier version stored say nothing of attempts: none was waited for. */
export const EVENT_COLUMN = `'{"retrying": null}'::jsonb || event as event`;

const after = statement(
  'sync_events_after',
  `select seq, ${EVENT_COLUMN} from sync_event where user_key = $1 and seq > $2 order by seq limit $3`,
);
const last = statement(
  'sync_events_last',
  `select seq, ${EVENT_COLUMN} from sync_event where user_key = $1 order by seq desc limit $2`,
);

/** Events of a user behind a number, oldest first. */
export async function eventsAfter(
  pool: pg.Pool,
  userKey: number,
  seq: number,
  limit: number,
): Promise<NumberedEvent[]> {
  return (await pool.query<NumberedEvent>(after([userKey, seq, limit]))).rows;
}

/** The last events of a user, oldest first. */
export async function lastEvents(pool: pg.Pool, userKey: number, limit: number): Promise<NumberedEvent[]> {
  return (await pool.query<NumberedEvent>(last([userKey, limit]))).rows.reverse();
}

/** The highest event number of each of these users. */
export async function newestOf(pool: pg.Pool, userKeys: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ user_key: number; seq: number | null }>(
    `select user_key, (select max(seq) from sync_event e where e.user_key = k.user_key) as seq
       from unnest($1::bigint[]) as k (user_key)`,
    [userKeys],
  );
  return new Map(rows.flatMap(({ user_key, seq }) => (seq === null ? [] : [[user_key, seq]])));
}
