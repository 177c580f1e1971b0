import type pg from 'pg';
import { type ChannelListener, listenToChannel } from '../../platform/database/index.js';
import { CONNECTED_FRAME, eventFrame, HEARTBEAT_FRAME } from './event-frames.js';
import { lastEvents, newestOf } from './event-rows.js';
import { SYNC_CHANNEL } from './sync-notifier.js';
import { UserFeed } from './user-feed.js';

export interface SyncStreamOptions {
  pool: pg.Pool;
  /** The same database, for the one connection that listens. */
  url: string;
  onError?: (error: unknown) => void;
  heartbeatMs?: number;
  /** How often users with open streams are looked at without a notification, should one be lost. */
  lookMs?: number;
}

/** Where a stream begins. */
export interface StreamStart {
  userKey: number;
  /** The last event that the client has: everything behind it follows. */
  afterSeq?: number | undefined;
  /** Without it: so many of the last events first. */
  replay: number;
  /** Ends the stream: the client has left. */
  signal: AbortSignal;
}

const HEARTBEAT_MS = 15_000;
const LOOK_MS = 30_000;

/**
 * The events of users as streams. All streams of a process share one connection that listens; none holds a connection
 * of the pool while it waits.
 */
export class SyncStreams {
  private readonly feeds = new Map<number, UserFeed>();
  private readonly stopped = new AbortController();
  private listener: ChannelListener | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: SyncStreamOptions) {}

  /** Streams that are open now. */
  get open(): number {
    return [...this.feeds.values()].reduce((sum, { streams }) => sum + streams, 0);
  }

  /** Frames of one stream, until the client leaves or the service stops. */
  async *stream({ userKey, afterSeq, replay, signal: left }: StreamStart): AsyncGenerator<string> {
    const signal = AbortSignal.any([left, this.stopped.signal]);
    const feed = await this.join(userKey);
    const { newest } = feed;
    try {
      // Only now: whatever happens after a client has read it reaches the client.
      yield CONNECTED_FRAME;
      let seq = afterSeq === undefined ? newest : Math.min(afterSeq, newest);
      if (afterSeq === undefined && replay > 0) {
        const events = (await lastEvents(this.options.pool, userKey, replay)).filter((one) => one.seq <= newest);
        for (const one of events) yield eventFrame(one);
        seq = events.at(-1)?.seq ?? seq;
      }
      while (!signal.aborted) {
        const events = await feed.after(seq);
        if (events.length > 0) {
          seq = events.at(-1)?.seq ?? seq;
          yield events.map(eventFrame).join('');
        } else if (await this.isSilent(feed, seq, signal)) yield HEARTBEAT_FRAME;
      }
    } finally {
      feed.streams--;
      if (feed.streams === 0) this.feeds.delete(userKey);
    }
  }

  /** Ends all streams and the listening. */
  async close(): Promise<void> {
    this.stopped.abort();
    clearInterval(this.timer);
    await this.listener?.close();
  }

  /** Waits for something behind the number; true when nothing came for so long that a sign of life is due. */
  private async isSilent(feed: UserFeed, seq: number, signal: AbortSignal): Promise<boolean> {
    let silent = false;
    const over = new AbortController();
    const timer = setTimeout(() => {
      silent = true;
      over.abort();
    }, this.options.heartbeatMs ?? HEARTBEAT_MS);
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

  private async join(userKey: number): Promise<UserFeed> {
    this.start();
    let feed = this.feeds.get(userKey);
    if (feed === undefined) {
      const newest = (await newestOf(this.options.pool, [userKey])).get(userKey) ?? 0;
      // Another stream of the same user may have come first meanwhile.
      feed = this.feeds.get(userKey) ?? new UserFeed(this.options.pool, userKey, newest);
      this.feeds.set(userKey, feed);
    }
    feed.streams++;
    // What came between the look and the moment from which notifications reach the feed
    await feed.refresh();
    return feed;
  }

  private start(): void {
    if (this.listener) return;
    const { url, onError = () => {} } = this.options;
    this.listener = listenToChannel({
      url,
      channel: SYNC_CHANNEL,
      onNotice: (payload) => this.notice(Number(payload)),
      // Whatever was told while nobody listened
      onListening: () => void this.look(),
      onError,
    });
    this.timer = setInterval(() => void this.look(), this.options.lookMs ?? LOOK_MS);
    this.timer.unref();
  }

  private notice(userKey: number): void {
    this.feeds.get(userKey)?.refresh().catch(this.options.onError);
  }

  private async look(): Promise<void> {
    if (this.feeds.size === 0) return;
    try {
      const newest = await newestOf(this.options.pool, [...this.feeds.keys()]);
      for (const [userKey, seq] of newest) if (seq > (this.feeds.get(userKey)?.newest ?? seq)) this.notice(userKey);
    } catch (error) {
      this.options.onError?.(error);
    }
  }
}
