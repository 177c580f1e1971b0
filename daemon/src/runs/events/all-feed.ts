import type pg from 'pg';
import { allEventsBehind, allEventsWithin, markOf, unsettledNumbers } from './all-rows.js';
import type { NumberedEvent } from './event-frames.js';
import { LiveFeed } from './live-feed.js';
import { NumberGaps } from './number-gaps.js';

const PAGE = 500;
/** Number of events that the feed keeps. If a stream falls further behind, its client must reconnect. */
const MAX_EVENTS = 5_000;

/** An event with its position in the feed, which is the order in which the feed read it. */
export interface FeedEvent extends NumberedEvent {
  position: number;
  /** Event number to resume from, for a client that has received this event and all before it. */
  resumeAfter: number;
}

/**
 * Events of all users, for this process's streams. Reads each event once. Transactions may commit in a different order
 * than their event numbers, so skipped numbers are checked again while they may still appear.
 */
export class AllFeed extends LiveFeed {
  private readonly kept: FeedEvent[] = [];
  private readonly gaps: NumberGaps;
  private position = 0;

  private constructor(
    private readonly pool: pg.Pool,
    settled: number,
    known: readonly number[],
  ) {
    super();
    this.gaps = new NumberGaps(settled);
    for (const seq of known) this.gaps.see(seq, performance.now());
  }

  /** Opens a feed that starts now. */
  static async open(pool: pg.Pool): Promise<AllFeed> {
    const { settled, known } = await unsettledNumbers(pool);
    return new AllFeed(pool, settled, known);
  }

  /** Position of the newest event. */
  get newest(): number {
    return this.position;
  }

  /**
   * Event number to resume from, for a client that has received all events so far. It may get some later events twice.
   */
  get resumeAfter(): number {
    return this.gaps.settled;
  }

  /** Returns the events after a position; undefined if they are no longer in memory. */
  after(position: number): FeedEvent[] | undefined {
    const first = this.kept[0]?.position ?? this.position + 1;
    return position + 1 < first ? undefined : this.kept.slice(position + 1 - first);
  }

  protected async readPage(): Promise<boolean> {
    const atMs = performance.now();
    const mark = await markOf(this.pool);
    const late = await allEventsWithin(this.pool, this.gaps.ranges, PAGE);
    this.keep(late);
    const events = await allEventsBehind(this.pool, this.gaps.highest, PAGE);
    this.keep(events);
    if (late.length === PAGE || events.length === PAGE) return true;
    this.gaps.close(mark, atMs);
    return false;
  }

  private keep(events: readonly NumberedEvent[]): void {
    for (const event of events) {
      this.position++;
      this.gaps.see(event.seq, performance.now());
      this.kept.push({ ...event, position: this.position, resumeAfter: this.gaps.settled });
    }
    this.kept.splice(0, Math.max(0, this.kept.length - MAX_EVENTS));
    if (events.length > 0) this.wake();
  }
}
