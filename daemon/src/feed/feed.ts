import { EventEmitter, once, setMaxListeners } from 'node:events';
import type pg from 'pg';
import { type DatabaseChannels, onCommit } from '../platform/database/index.js';
import { storeChanges } from './outbox.js';
import { type ChangePage, type FeedQuery, readFeed } from './read-changes.js';
import { FEED_CHANNEL, type Sequencer, startSequencer } from './sequencer.js';

export interface FeedOptions {
  pool: pg.Pool;
  channels: DatabaseChannels;
  /** False to record nothing. */
  isOn: boolean;
  /** True if this process assigns ordinals. */
  assigns: boolean;
  onError(error: unknown): void;
}

/** Channel that asks the processes with a sequencer for ordinals. */
const WRITTEN_CHANNEL = 'healthd_feed_written';

/** The feed of changes in this process. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #news = new EventEmitter();
  #sequencer: Sequencer | undefined;
  #announcing = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    setMaxListeners(0, this.#news);
    if (!options.isOn) return;
    onCommit(options.pool, async (client) => ((await storeChanges(client)) ? () => this.announce() : undefined));
  }

  /** Starts to assign ordinals and to listen for new ones. */
  start(): void {
    const { pool, channels, isOn, assigns, onError } = this.#options;
    if (!isOn) return;
    channels.listen(FEED_CHANNEL, {
      onMessage: () => this.#news.emit('news'),
      onListening: () => this.#news.emit('news'),
    });
    if (!assigns) return;
    const sequencer = startSequencer(pool, onError);
    this.#sequencer = sequencer;
    channels.listen(WRITTEN_CHANNEL, { onMessage: () => sequencer.wake(), onListening: () => sequencer.wake() });
  }

  /** Call after the commit of new entries. A lost call only delays them. */
  announce(): void {
    if (this.#sequencer) {
      this.#sequencer.wake();
      return;
    }
    if (this.#announcing) return;
    this.#announcing = true;
    setTimeout(() => {
      this.#announcing = false;
      this.#options.pool.query('select pg_notify($1, $2)', [WRITTEN_CHANNEL, '']).catch(this.#options.onError);
    }, ANNOUNCE_AFTER_MS).unref();
  }

  /**
   * Reads a page, and waits for the first entry if there is none.
   * @param waitMs maximum wait; 0 to answer at once
   * @throws as {@link readFeed}
   */
  async read(query: FeedQuery, waitMs: number, signal: AbortSignal): Promise<ChangePage> {
    const { pool } = this.#options;
    const until = performance.now() + waitMs;
    let from = query.cursor;
    for (;;) {
      // Listens before it reads, so that no entry is missed in between.
      const ended = new AbortController();
      const remainingMs = Math.max(0, until - performance.now());
      const limit = AbortSignal.any([signal, ended.signal, AbortSignal.timeout(remainingMs)]);
      const news = once(this.#news, 'news', { signal: limit }).then(
        () => true,
        () => false,
      );
      try {
        const page = await readFeed(pool, { ...query, cursor: from });
        if (page.items.length > 0 || remainingMs === 0) return page;
        from = page.cursor;
        if (!(await news) || signal.aborted) return page;
      } finally {
        ended.abort();
      }
    }
  }

  async stop(): Promise<void> {
    await this.#sequencer?.stop();
  }
}

/** A burst of commits becomes one notification. */
const ANNOUNCE_AFTER_MS = 20;
