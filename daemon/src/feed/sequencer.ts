import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { statement } from '../platform/database/index.js';

/**
 * Number of entries that one transaction numbers. Doubles while more entries wait, because each transaction sorts all
 * waiting entries.
 */
const AT_ONCE = 5_000;
/** Maximum number of entries of one transaction. */
const MOST_AT_ONCE = 80_000;

/** Channel on which `assign_ordinals` announces new ordinals. */
export const FEED_CHANNEL = 'healthd_feed';

/**
 * Gives committed entries their place in the feed of all users, one process at a time. Never waits for open
 * transactions: their entries get later ordinals. A user's entries keep their order, because a later entry of a user
 * becomes visible only together with the earlier entries.
 * @param fromStart true to search all entries, see `assign_ordinals`
 */
async function assignOrdinals(pool: pg.Pool, fromStart: boolean): Promise<void> {
  for (let limit = AT_ONCE; ; limit = Math.min(MOST_AT_ONCE, limit * 2)) {
    const { rows } = await pool.query<{ count: number }>(ASSIGN([limit, fromStart]));
    if ((rows[0]?.count ?? 0) < limit) return;
  }
}

const ASSIGN = statement('feed-assign-ordinals', 'select assign_ordinals($1, $2) as count');

/** Assigns ordinals soon after each call of `wake`, and regularly, because a crashed process may have left entries. */
export interface Sequencer {
  wake(): void;
  /** Waits until a running assignment has ended. */
  stop(): Promise<void>;
}

const REGULARLY_MS = 2_000;
/** Interval of searches of all entries. The first assignment also searches all entries. */
const ALL_MS = 60_000;
/** Delay before ordinals are assigned. Readers get new entries later by this time. */
const COALESCE_MS = 50;

/** @param onError called if the database failed; the next call of `wake` or the next regular attempt tries again */
export function startSequencer(pool: pg.Pool, onError: (error: unknown) => void): Sequencer {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;
  let searchedAllAt = Number.NEGATIVE_INFINITY;
  const run = async () => {
    while (isWanted && !isStopped) {
      // Waits, so that one transaction numbers the entries of several commits.
      await sleep(COALESCE_MS);
      isWanted = false;
      const fromStart = performance.now() - searchedAllAt >= ALL_MS;
      if (fromStart) searchedAllAt = performance.now();
      await assignOrdinals(pool, fromStart).catch(onError);
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
