import type pg from 'pg';
import type { NumberedEvent } from './event-frames.js';
import { eventsAfter } from './event-rows.js';

const PAGE = 200;
/** Events that a feed keeps, so that streams which are a little behind need no query. */
const KEPT = 400;

/** The events of one user as all streams of this process follow them: each is read from the database once. */
export class UserFeed {
  private kept: NumberedEvent[] = [];
  /** Every event behind this one is in memory. */
  private keptFrom: number;
  private reading: Promise<void> | undefined;
  private again = false;
  private readonly waiting = new Set<() => void>();
  streams = 0;

  /** @param seq the feed knows of nothing up to and including this event */
  constructor(
    private readonly pool: pg.Pool,
    readonly userKey: number,
    private seq: number,
  ) {
    this.keptFrom = seq;
  }

  /** Number of the newest event that the feed knows. */
  get newest(): number {
    return this.seq;
  }

  /** Events behind a number that are there now; the caller asks again with the last of them. */
  async after(seq: number): Promise<NumberedEvent[]> {
    if (seq >= this.seq) return [];
    if (seq >= this.keptFrom) return this.kept.filter((one) => one.seq > seq).slice(0, PAGE);
    return eventsAfter(this.pool, this.userKey, seq, PAGE);
  }

  /** Resolves when there is something behind the number, or with the signal. */
  changed(seq: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.seq > seq) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** Reads what is new. A call while one is under way makes it look once more. */
  refresh(): Promise<void> {
    this.again = true;
    this.reading ??= this.readAll().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readAll(): Promise<void> {
    while (this.again) {
      this.again = false;
      const page = await eventsAfter(this.pool, this.userKey, this.seq, PAGE);
      const last = page.at(-1);
      if (last === undefined) continue;
      this.kept.push(...page);
      this.keptFrom = this.kept.splice(0, Math.max(0, this.kept.length - KEPT)).at(-1)?.seq ?? this.keptFrom;
      this.seq = last.seq;
      if (page.length === PAGE) this.again = true;
      for (const wake of [...this.waiting]) wake();
    }
  }
}
