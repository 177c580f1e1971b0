import { MS_PER_MINUTE } from '@healthd/model';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import type { NumberedEvent } from './event-frames.js';
import { EVENT_COLUMN, type EventFilter, filterValues, MAX_EVENTS_READ, PASSES_FILTER } from './event-rows.js';

/** Maximum duration of a transaction that stores events. Such transactions hold a user's row and end sooner. */
export const LONGEST_TRANSACTION_MS = 10 * MS_PER_MINUTE;

const behind = statement(
  'all_sync_events_behind',
  `select seq, ${EVENT_COLUMN} from sync_event where seq > $1 order by seq limit $2`,
);
const within = statement(
  'all_sync_events_within',
  `select seq, ${EVENT_COLUMN} from unnest($1::int8[], $2::int8[]) g (low, high)
   cross join lateral (select * from sync_event where seq between g.low and g.high order by seq limit $3) found
   order by seq limit $3`,
);

/** An inclusive range of numbers. */
export interface NumberRange {
  first: number;
  last: number;
}

/** Bounds of the transactions in progress at one time. */
export interface TransactionMark {
  /** All transactions with a lower ID than this one have ended. */
  oldestXid: bigint;
  /** All transactions that have started so far have a lower ID than this one. */
  nextXid: bigint;
}

/** Returns the events of all users after a number, oldest first. */
export async function allEventsBehind(pool: pg.Pool, seq: number, limit: number): Promise<NumberedEvent[]> {
  return (await pool.query<NumberedEvent>(behind([seq, limit]))).rows;
}

/** Returns the events of all users within these ranges, oldest first. */
export async function allEventsWithin(
  pool: pg.Pool,
  ranges: readonly NumberRange[],
  limit: number,
): Promise<NumberedEvent[]> {
  if (ranges.length === 0) return [];
  const bounds = [ranges.map(({ first }) => first), ranges.map(({ last }) => last)];
  return (await pool.query<NumberedEvent>(within([...bounds, limit]))).rows;
}

/** Returns the last events of all users that match the filter, oldest first. */
export async function lastOfAll(pool: pg.Pool, filter: EventFilter, limit: number): Promise<NumberedEvent[]> {
  const { rows } = await pool.query<NumberedEvent>(
    `select * from (select seq, ${EVENT_COLUMN} from sync_event order by seq desc limit ${MAX_EVENTS_READ}) newest
     where ${PASSES_FILTER} order by seq desc limit $4`,
    [...filterValues(filter), limit],
  );
  return rows.reverse();
}

export async function markOf(pool: pg.Pool): Promise<TransactionMark> {
  const { rows } = await pool.query<{ oldest: string; next: string }>(
    `select pg_snapshot_xmin(now.taken)::text as oldest, pg_snapshot_xmax(now.taken)::text as next
     from (select pg_current_snapshot() as taken) now`,
  );
  const { oldest = '0', next = '0' } = rows[0] ?? {};
  return { oldestXid: BigInt(oldest), nextXid: BigInt(next) };
}

/**
 * Returns the number up to which no more events can appear (`settled`), and the existing numbers after it in ascending
 * order.
 */
export async function unsettledNumbers(pool: pg.Pool): Promise<{ settled: number; known: number[] }> {
  const { rows } = await pool.query<{ settled: number; known: number[] }>(
    `select settled, array(select seq::float8 from sync_event where seq > settled order by seq) as known
     from (select coalesce(max(seq), 0) as settled from sync_event
           where created_at < now() - interval '${LONGEST_TRANSACTION_MS} milliseconds') old`,
  );
  return rows[0] ?? { settled: 0, known: [] };
}
