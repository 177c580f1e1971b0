import type pg from 'pg';
import type { NumberedEvent } from './event-frames.js';
import { eventsAfter } from './event-rows.js';
import { LiveFeed } from './live-feed.js';

const PAGE = 200;
/** Number of events that a feed keeps in memory, so that a stream that is slightly behind needs no query. */
const MAX_EVENTS = 400;

/** One user's events, for all streams of this process. Reads each event from the database once. */
export class UserFeed extends LiveFeed {
  private kept: NumberedEvent[] = [];
  /** Number after which all events are in memory. */
  private storedFrom: number;
  streams = 0;

  /** @param seq number of the newest event before the feed starts */
  constructor(
    private readonly pool: pg.Pool,
    readonly userKey: number,
    private seq: number,
  ) {
    super();
    this.storedFrom = seq;
  }

  /** Number of the newest known event. */
  get newest(): number {
    return this.seq;
  }

  /** Returns a page of events after a number. Call it again with the last event's number for the next page. */
  async after(seq: number): Promise<NumberedEvent[]> {
    if (seq >= this.seq) return [];
    if (seq >= this.storedFrom) return this.kept.filter((one) => one.seq > seq).slice(0, PAGE);
    return eventsAfter(this.pool, this.userKey, seq, PAGE);
  }

  protected async readPage(): Promise<boolean> {
    const page = await eventsAfter(this.pool, this.userKey, this.seq, PAGE);
    const last = page.at(-1);
    if (last === undefined) return false;
    this.kept.push(...page);
    this.storedFrom = this.kept.splice(0, Math.max(0, this.kept.length - MAX_EVENTS)).at(-1)?.seq ?? this.storedFrom;
    this.seq = last.seq;
    this.wake();
    return page.length === PAGE;
  }
}
