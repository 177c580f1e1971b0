import type pg from 'pg';
import type { NumberedEvent } from './event-frames.js';
import { eventsAfter } from './event-rows.js';
import { LiveFeed } from './live-feed.js';

const PAGE = 200;
/** Events that a feed keeps, so that streams which are a little behind need no query. */
const KEPT = 400;

/** The events of one user as all streams of this process follow them: each is read from the database once. */
export class UserFeed extends LiveFeed {
  private kept: NumberedEvent[] = [];
  /** Every event behind this one is in memory. */
  private keptFrom: number;
  streams = 0;

  /** @param seq the feed knows of nothing up to and including this event */
  constructor(
    private readonly pool: pg.Pool,
    readonly userKey: number,
    private seq: number,
  ) {
    super();
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

  protected async readPage(): Promise<boolean> {
    const page = await eventsAfter(this.pool, this.userKey, this.seq, PAGE);
    const last = page.at(-1);
    if (last === undefined) return false;
    this.kept.push(...page);
    this.keptFrom = this.kept.splice(0, Math.max(0, this.kept.length - KEPT)).at(-1)?.seq ?? this.keptFrom;
    this.seq = last.seq;
    this.wake();
    return page.length === PAGE;
  }
}
