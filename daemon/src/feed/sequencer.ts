import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { inTransaction } from '../platform/database/index.js';

/** Number of entries that one transaction numbers. */
const AT_ONCE = 5_000;

/** Channel that announces new ordinals. */
export const FEED_CHANNEL = 'healthd_feed';

/**
 * Gives committed entries their place in the feed of all users, one process at a time. Never waits for open
 * transactions: their entries get later ordinals. A user's entries keep their order, because a later entry of a user
 * becomes visible only together with the earlier entries.
 * @returns the number of entries
 */
async function assignOrdinals(pool: pg.Pool): Promise<number> {
  let total = 0;
  for (;;) {
    // Does not lock the row if no entry waits, because locking writes the row.
    const waiting = await pool.query('select from change where ordinal is null limit 1');
    if (waiting.rowCount === 0) return total;
    const count = await inTransaction(pool, async (client) => {
      await client.query('select from feed_state for update');
      // A new statement, which sees everything that was committed before the lock was held.
      const { rows } = await client.query<{ count: number }>({ name: 'feed-assign-ordinals', text: ASSIGN });
      return rows[0]?.count ?? 0;
    });
    total += count;
    if (count < AT_ONCE) return total;
  }
}

const ASSIGN = `
with entry as (
  select user_key, is_data, number, row_number() over (order by at, user_key, is_data, number) as place
    from (select at, user_key, is_data, number from change where ordinal is null
           order by at, user_key, is_data, number limit ${AT_ONCE}) oldest
), numbered as (
  update change c set ordinal = state.last_ordinal + entry.place
    from entry, feed_state state
   where c.user_key = entry.user_key and c.is_data = entry.is_data and c.number = entry.number
  returning c.ordinal
), counted as (
  update feed_state set last_ordinal = (select max(ordinal) from numbered) where exists (select from numbered)
  returning pg_notify('${FEED_CHANNEL}', '')
)
select (select count(*) from numbered)::int4 as count, (select count(*) from counted)`;

/** Assigns ordinals soon after each call of `wake`, and regularly, because a crashed process may have left entries. */
export interface Sequencer {
  wake(): void;
  /** Waits until a running assignment has ended. */
  stop(): Promise<void>;
}

const REGULARLY_MS = 2_000;
/** Delay of an assignment. A reader waits this long in addition. */
const COALESCE_MS = 50;

/** @param onError called if the database failed; the next call of `wake` or the next regular attempt tries again */
export function startSequencer(pool: pg.Pool, onError: (error: unknown) => void): Sequencer {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;
  const run = async () => {
    while (isWanted && !isStopped) {
      // One transaction then numbers the entries of several commits.
      await sleep(COALESCE_MS);
      isWanted = false;
      await assignOrdinals(pool).catch(onError);
    }
    running = undefined;
  };
  const wake = () => {
    isWanted = true;
    running ??= run();
  };
  const timer = setInterval(wake, REGULARLY_MS);
  return {
    wake,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
