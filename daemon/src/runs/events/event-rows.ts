import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import type { NumberedEvent } from './event-frames.js';

/**
 * Column with the event. Adds `retrying` to events of earlier versions, which lack it because their runs never waited
 * for another attempt.
 */
export const EVENT_COLUMN = `'{"retrying": null}'::jsonb || event as event`;

const after = statement(
  'sync_events_after',
  `select seq, ${EVENT_COLUMN} from sync_event where user_key = $1 and seq > $2 order by seq limit $3`,
);
/** Number of events that a search reads at most, so that a filter with few matches does not read the whole table. */
export const MAX_EVENTS_READ = 10_000;
/** Condition on a row with an `event`. Its first three parameters are {@link filterValues}. */
export const PASSES_FILTER =
  "($1::text is null or event->>'provider' = $1) and ($2::text is null or event->>'source' = $2) and ($3::text is null or event->>'status' = $3)";

const last = statement(
  'sync_events_last',
  `select * from (select seq, ${EVENT_COLUMN} from sync_event where user_key = $4 order by seq desc limit ${MAX_EVENTS_READ}) newest
   where ${PASSES_FILTER} order by seq desc limit $5`,
);

/** Filter of events. Omitted members do not filter. */
export interface EventFilter {
  provider?: string | undefined;
  source?: string | undefined;
  status?: string | undefined;
}

export function filterValues({ provider, source, status }: EventFilter): (string | null)[] {
  return [provider ?? null, source ?? null, status ?? null];
}

export function wants(filter: EventFilter, { event }: NumberedEvent): boolean {
  const { provider = event.provider, source = event.source, status = event.status } = filter;
  return event.provider === provider && event.source === source && event.status === status;
}

/** Returns a user's events after a number, oldest first. */
export async function eventsAfter(
  pool: pg.Pool,
  userKey: number,
  seq: number,
  limit: number,
): Promise<NumberedEvent[]> {
  return (await pool.query<NumberedEvent>(after([userKey, seq, limit]))).rows;
}

/** Returns a user's last events that match the filter, newest first. */
export async function lastEvents(
  pool: pg.Pool,
  userKey: number,
  filter: EventFilter,
  limit: number,
): Promise<NumberedEvent[]> {
  return (await pool.query<NumberedEvent>(last([...filterValues(filter), userKey, limit]))).rows;
}

/** Returns the highest event number of each of these users. */
export async function newestOf(pool: pg.Pool, userKeys: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ user_key: number; seq: number | null }>(
    `select user_key, (select max(seq) from sync_event e where e.user_key = k.user_key) as seq
       from unnest($1::bigint[]) as k (user_key)`,
    [userKeys],
  );
  return new Map(rows.flatMap(({ user_key, seq }) => (seq === null ? [] : [[user_key, seq]])));
}
