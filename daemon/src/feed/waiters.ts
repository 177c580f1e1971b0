import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { FeedQuery } from './read-changes.js';

/** Maximum number of new entries that are compared with the waiting readers. With more entries, all readers read again. */
const ENTRIES_AT_ONCE = 1_000;

/** Minimum time between two wakes. Each wake lets a reader read a page, and under load new ordinals come every 50 ms. */
const COALESCE_MS = 150;

interface Waiter {
  isFor(entry: NewEntry): boolean;
  wake(): void;
}

interface NewEntry {
  ordinal: number;
  user_key: number;
  kind: string;
}

/** A reader that waits for entries. */
export interface Waiting {
  /** Resolves when a matching entry exists, after `ms` milliseconds, or when the signal is aborted. */
  news(ms: number, signal: AbortSignal): Promise<void>;
  end(): void;
}

/**
 * Readers of this process that wait for entries. One read of the new entries decides which readers read again, so that a
 * commit does not cost one statement per reader.
 */
export class Waiters {
  readonly #waiters = new Set<Waiter>();
  /** Highest ordinal that was compared with the readers. */
  #seen: number | undefined;
  #reading: Promise<void> | undefined;
  #isNotified = false;
  #wokeAt = Number.NEGATIVE_INFINITY;

  /** @param onError called if the database failed; all readers then read again */
  constructor(
    private readonly pool: pg.Pool,
    private readonly onError: (error: unknown) => void,
  ) {}

  add({ kinds, userKey }: Pick<FeedQuery, 'kinds' | 'userKey'>): Waiting {
    let resolve = (): void => {};
    const found = new Promise<void>((done) => {
      resolve = done;
    });
    const waiter: Waiter = {
      isFor: (entry) =>
        (userKey === undefined || entry.user_key === userKey) && (kinds === undefined || kinds.includes(entry.kind)),
      wake: resolve,
    };
    this.#waiters.add(waiter);
    return {
      async news(ms, signal) {
        if (signal.aborted) return;
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', resolve, { once: true });
        await found;
        clearTimeout(timer);
        signal.removeEventListener('abort', resolve);
      },
      end: () => void this.#waiters.delete(waiter),
    };
  }

  /** Call after new ordinals were assigned. */
  notify(): void {
    if (this.#waiters.size === 0) {
      this.#seen = undefined;
      return;
    }
    this.#isNotified = true;
    this.#reading ??= this.#readNews();
  }

  /** Lets all readers read again. */
  wakeAll(): void {
    for (const waiter of this.#waiters) waiter.wake();
  }

  async #readNews(): Promise<void> {
    while (this.#isNotified) {
      // Pauses before the read, so that it also finds the entries of the pause.
      const pauseMs = this.#wokeAt + COALESCE_MS - performance.now();
      if (pauseMs > 0) await sleep(pauseMs);
      this.#isNotified = false;
      if (this.#waiters.size === 0) {
        this.#seen = undefined;
        continue;
      }
      const entries = await this.#newEntries().catch((error: unknown) => {
        this.onError(error);
        return undefined;
      });
      for (const waiter of this.#waiters) {
        if (entries && !entries.some((entry) => waiter.isFor(entry))) continue;
        waiter.wake();
        this.#wokeAt = performance.now();
      }
    }
    this.#reading = undefined;
  }

  /** Returns the entries since the last call; undefined if the list may be incomplete. */
  async #newEntries(): Promise<NewEntry[] | undefined> {
    const seen = this.#seen;
    const { rows } = await this.pool.query<{ last: number } & { [Name in keyof NewEntry]: NewEntry[Name] | null }>(
      NEW_ENTRIES,
      [seen ?? Number.MAX_SAFE_INTEGER],
    );
    const last = rows[0]?.last ?? 0;
    const entries = rows.filter((row): row is typeof row & NewEntry => row.ordinal !== null);
    this.#seen = last;
    // A lower ordinal means a new epoch, in which ordinals start again.
    if (seen === undefined || last < seen || entries.length === ENTRIES_AT_ONCE) return undefined;
    return entries;
  }
}

/** Reads the state together with the entries, so that the next call skips nothing. */
const NEW_ENTRIES = `
select state.last_ordinal as last, entry.ordinal, entry.user_key, entry.kind
  from feed_state state
  left join lateral (
    select ordinal, user_key, kind from change where ordinal > $1 order by ordinal limit ${ENTRIES_AT_ONCE}) entry on true`;
