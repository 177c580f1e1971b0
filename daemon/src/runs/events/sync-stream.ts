import type pg from 'pg';
import type { ChannelSubscription, DatabaseChannels } from '../../platform/database/index.js';
import { AllFeed } from './all-feed.js';
import { allEventsBehind, lastOfAll } from './all-rows.js';
import { CONNECTED_FRAME, eventFrame, HEARTBEAT_FRAME, type NumberedEvent, positionFrame } from './event-frames.js';
import { type EventFilter, lastEvents, newestOf, wants } from './event-rows.js';
import { SYNC_CHANNEL } from './sync-notifier.js';
import { UserFeed } from './user-feed.js';

export interface SyncStreamOptions {
  pool: pg.Pool;
  /** Channels of the same database. They outlive the streams. */
  channels: DatabaseChannels;
  /** Called for errors outside a call. The next poll recovers. */
  onError: (error: unknown) => void;
  heartbeatMs?: number;
  /** Poll interval of users with open streams, in case a notification is lost. */
  lookMs?: number;
}

/** Options of a stream of all users. */
interface AllStreamStart {
  /** Number of the client's last event, after which the stream continues. */
  afterSeq?: number | undefined;
  /** Number of recent events to send first. Ignored with `afterSeq`. */
  replay: number;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** Returns true if the client may still receive the events. Called with every heartbeat; false ends the stream. */
  isStillAllowed?: () => Promise<boolean>;
}

export interface StreamStart extends AllStreamStart {
  userKey: number;
}

const HEARTBEAT_MS = 15_000;
const POLL_MS = 30_000;
/** Page size for a client that was disconnected. */
const PAGE = 500;

/**
 * Creates event streams of users. All streams of a process share one channel. No stream holds a pool connection while
 * it waits.
 */
export class SyncStreams {
  private readonly feeds = new Map<number, UserFeed>();
  private all: Promise<AllFeed> | undefined;
  private allStreams = 0;
  private readonly stopped = new AbortController();
  private subscription: ChannelSubscription | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: SyncStreamOptions) {}

  /** Number of open streams. */
  get open(): number {
    return [...this.feeds.values()].reduce((sum, { streams }) => sum + streams, this.allStreams);
  }

  /**
   * Yields the frames of one user's events that match the filter, until the client disconnects or the service stops.
   */
  async *stream(start: StreamStart & EventFilter): AsyncGenerator<string> {
    const { userKey, afterSeq, replay, provider, source, status } = start;
    const filter = { provider, source, status };
    const { signal, end } = this.lifeOf(start);
    const feed = await this.join(userKey).catch((error: unknown) => {
      end();
      throw error;
    });
    const { newest } = feed;
    try {
      // Sends the frame only after the feed has started, so that a client that has read it misses no later event.
      yield CONNECTED_FRAME;
      let seq = afterSeq === undefined ? newest : Math.min(afterSeq, newest);
      if (afterSeq === undefined && replay > 0) {
        const events = await lastEvents(this.options.pool, userKey, filter, replay);
        for (const one of events.toReversed()) if (one.seq <= newest) yield eventFrame(one);
      }
      let sentAtMs = Date.now();
      while (!signal.aborted) {
        const events = await feed.after(seq);
        seq = events.at(-1)?.seq ?? seq;
        const matching = events.filter((one) => wants(filter, one));
        if (matching.length > 0) yield matching.map((one) => eventFrame(one)).join('');
        else if (events.length > 0 && Date.now() - sentAtMs < this.heartbeatMs) continue;
        else if (events.length > 0 || (await this.isSilent(feed, seq, signal))) yield HEARTBEAT_FRAME;
        else continue;
        sentAtMs = Date.now();
      }
    } finally {
      end();
      this.leave(feed);
    }
  }

  /**
   * Returns the frames of all users' events that match the filter, until the client disconnects or falls too far
   * behind, or the service stops. A client that resumes from a number may get events twice, but misses no event. Fails
   * while the database is unavailable. The stream counts as open until its signal aborts, even if no frame is ever
   * read.
   */
  async streamAll(start: AllStreamStart & EventFilter): Promise<AsyncGenerator<string>> {
    const leave = this.countAll(start.signal);
    try {
      const feed = await this.openAll();
      if (start.signal.aborted) leave();
      return this.framesOfAll(start, feed, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  private async *framesOfAll(
    start: AllStreamStart & EventFilter,
    feed: AllFeed,
    leave: () => void,
  ): AsyncGenerator<string> {
    const { afterSeq, replay, signal: _left, isStillAllowed: _allowed, ...filter } = start;
    const { signal, end } = this.lifeOf(start);
    try {
      let position = feed.newest;
      const { resumeAfter } = feed;
      yield CONNECTED_FRAME;
      const sent = new Set<number>();
      for await (const events of this.past(filter, afterSeq, replay)) {
        for (const { seq } of events) if (seq > resumeAfter) sent.add(seq);
        if (signal.aborted) return;
        const matching = events.filter((one) => wants(filter, one));
        yield matching.map((one) => eventFrame(one, Math.min(one.seq, resumeAfter))).join('');
      }
      yield positionFrame(resumeAfter);
      let sentAtMs = Date.now();
      while (!signal.aborted) {
        const events = feed.after(position);
        if (events === undefined) return;
        position = events.at(-1)?.position ?? position;
        const matching = events.filter((one) => !sent.delete(one.seq) && wants(filter, one));
        if (matching.length > 0) yield matching.map((one) => eventFrame(one, one.resumeAfter)).join('');
        else if (events.length > 0 && Date.now() - sentAtMs < this.heartbeatMs) continue;
        else if (events.length > 0 || (await this.isSilent(feed, position, signal))) {
          await feed.refresh().catch(this.options.onError);
          yield `${HEARTBEAT_FRAME}${positionFrame(feed.resumeAfter)}`;
        } else continue;
        sentAtMs = Date.now();
      }
    } finally {
      end();
      leave();
    }
  }

  /** Returns a signal that aborts when the stream must end for any reason. `end` stops the permission checks. */
  private lifeOf({ signal: left, isStillAllowed }: AllStreamStart): { signal: AbortSignal; end(): void } {
    const denied = new AbortController();
    const checkPermission = async () => {
      if (isStillAllowed && !(await isStillAllowed())) denied.abort();
    };
    const timer = setInterval(() => void checkPermission().catch(this.options.onError), this.heartbeatMs);
    timer.unref();
    return {
      signal: AbortSignal.any([left, this.stopped.signal, denied.signal]),
      end: () => clearInterval(timer),
    };
  }

  /** Counts a stream of all users until its client disconnects or the returned function is called. */
  private countAll(left: AbortSignal): () => void {
    let isCounted = true;
    this.allStreams++;
    const leave = () => {
      if (!isCounted) return;
      isCounted = false;
      left.removeEventListener('abort', leave);
      this.allStreams--;
      if (this.allStreams === 0) this.all = undefined;
    };
    left.addEventListener('abort', leave, { once: true });
    return leave;
  }

  /** Yields pages of earlier events, which a stream of all users sends first. */
  private async *past(
    filter: EventFilter,
    afterSeq: number | undefined,
    replay: number,
  ): AsyncGenerator<NumberedEvent[]> {
    const { pool } = this.options;
    if (afterSeq === undefined) {
      if (replay > 0) yield await lastOfAll(pool, filter, replay);
      return;
    }
    let seq = afterSeq;
    for (;;) {
      const page = await allEventsBehind(pool, seq, PAGE);
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      seq = page.at(-1)?.seq ?? seq;
    }
  }

  /** Ends all streams and stops listening. */
  close(): void {
    this.stopped.abort();
    clearInterval(this.timer);
    this.subscription?.end();
  }

  /** Waits for an event after the number. Returns true if no event arrived before the next heartbeat is due. */
  private async isSilent(feed: Pick<UserFeed, 'changed'>, seq: number, signal: AbortSignal): Promise<boolean> {
    let silent = false;
    const over = new AbortController();
    const timer = setTimeout(() => {
      silent = true;
      over.abort();
    }, this.heartbeatMs);
    const end = () => over.abort();
    signal.addEventListener('abort', end, { once: true });
    try {
      await feed.changed(seq, over.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
    return silent && !signal.aborted;
  }

  private get heartbeatMs(): number {
    return this.options.heartbeatMs ?? HEARTBEAT_MS;
  }

  private async openAll(): Promise<AllFeed> {
    this.start();
    this.all ??= AllFeed.open(this.options.pool);
    const opening = this.all;
    const feed = await opening.catch((error: unknown) => {
      if (this.all === opening) this.all = undefined;
      throw error;
    });
    // Refreshes the feed outside the catch above: a failure here must not close the feed of other streams.
    await feed.refresh();
    return feed;
  }

  private async join(userKey: number): Promise<UserFeed> {
    this.start();
    let feed = this.feeds.get(userKey);
    if (feed === undefined) {
      const newest = (await newestOf(this.options.pool, [userKey])).get(userKey) ?? 0;
      // Looks again, because another stream of the same user may have created the feed during the query.
      feed = this.feeds.get(userKey) ?? new UserFeed(this.options.pool, userKey, newest);
      this.feeds.set(userKey, feed);
    }
    feed.streams++;
    try {
      // Reads events that were stored between the query and the first notification.
      await feed.refresh();
    } catch (error) {
      this.leave(feed);
      throw error;
    }
    return feed;
  }

  private leave(feed: UserFeed): void {
    feed.streams--;
    if (feed.streams === 0) this.feeds.delete(feed.userKey);
  }

  private start(): void {
    if (this.subscription) return;
    this.subscription = this.options.channels.listen(SYNC_CHANNEL, {
      onMessage: (payload) => this.notice(Number(payload)),
      // Reads events that were announced while the connection was lost.
      onListening: () => void this.look(),
    });
    this.timer = setInterval(() => void this.look(), this.options.lookMs ?? POLL_MS);
    this.timer.unref();
  }

  private notice(userKey: number): void {
    this.feeds.get(userKey)?.refresh().catch(this.options.onError);
    this.refreshAll();
  }

  private refreshAll(): void {
    this.all?.then((feed) => feed.refresh()).catch(this.options.onError);
  }

  private async look(): Promise<void> {
    this.refreshAll();
    if (this.feeds.size === 0) return;
    try {
      const newest = await newestOf(this.options.pool, [...this.feeds.keys()]);
      for (const [userKey, seq] of newest) if (seq > (this.feeds.get(userKey)?.newest ?? seq)) this.notice(userKey);
    } catch (error) {
      this.options.onError(error);
    }
  }
}
