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
  /** Called when the database failed; the next attempt follows within seconds. */
  onError(error: unknown): void;
}

/** The feed of changes in this process. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #news = new EventEmitter();
  #sequencer: Sequencer | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    setMaxListeners(0, this.#news);
    if (!options.isOn) return;
    onCommit(options.pool, async (client) =>
      (await storeChanges(client)) ? () => this.#sequencer?.wake() : undefined,
    );
  }

  /** Starts to assign ordinals and to listen for new ones. */
  start(): void {
    const { pool, channels, isOn, onError } = this.#options;
    if (!isOn) return;
    const onNews = () => void this.#news.emit('news');
    channels.listen(FEED_CHANNEL, { onMessage: onNews, onListening: onNews });
    // Each process numbers the entries of its own commits at once, and entries that another process left.
    this.#sequencer = startSequencer(pool, onError);
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
      const remainingMs = Math.max(0, Math.ceil(until - performance.now()));
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
