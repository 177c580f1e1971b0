import type { UserDigest } from '@healthd/schemas';
import type pg from 'pg';
import type { DatabaseChannels } from '../platform/database/index.js';
import type { Vault } from '../vault/index.js';
import { type DigestRange, readDigest } from './digest.js';
import { EVENT_CHANNEL, recordIfOn } from './outbox.js';
import { type ChangePage, type FeedQuery, readFeed } from './read-changes.js';
import { FEED_CHANNEL, type Sequencer, startSequencer } from './sequencer.js';
import { readSnapshot, type SnapshotQuery } from './snapshot.js';
import { Waiters } from './waiters.js';

export interface FeedOptions {
  pool: pg.Pool;
  channels: DatabaseChannels;
  /** Seals the keys of digests. */
  vault: Vault;
  /** Setting of this process. Changes are also recorded if another process has turned the feed on. */
  isOn: boolean;
  /** Called when the database failed; the next attempt follows within seconds. */
  onError(error: unknown): void;
  /** Called once if another process has switched the feed to a state that differs from this process's setting. */
  onOtherSetting?(isOn: boolean): void;
}

/** Interval at which this process compares its setting with the feed's state. */
const SETTING_CHECK_MS = 10_000;

/** The feed of changes in this process. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #waiters: Waiters;
  #isEnding = false;
  #watching: NodeJS.Timeout | undefined;
  #hasOtherSetting = false;
  #sequencer: Sequencer | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#waiters = new Waiters(options.pool, options.onError);
    recordIfOn(options.pool, () => this.#sequencer?.wake());
  }

  /** Starts to assign ordinals and to listen for new ordinals. */
  start(): void {
    const { pool, channels, isOn, onError } = this.#options;
    this.#watching = setInterval(() => void this.#compareSetting().catch(onError), SETTING_CHECK_MS);
    this.#watching.unref();
    if (!isOn) return;
    const onNews = () => this.#waiters.notify();
    channels.listen(FEED_CHANNEL, { onMessage: onNews, onListening: onNews });
    const onEvent = () => this.#sequencer?.wake();
    channels.listen(EVENT_CHANNEL, { onMessage: onEvent, onListening: onEvent });
    // Each process immediately numbers the entries of its own commits, and entries that another process left
    // unnumbered.
    this.#sequencer = startSequencer(pool, onError);
  }

  /**
   * Reads a page. If the page is empty, waits for the first entry.
   * @param waitMs maximum wait; 0 to respond immediately
   * @throws as {@link readFeed}
   */
  async read(query: FeedQuery, waitMs: number, signal: AbortSignal): Promise<ChangePage> {
    const { pool } = this.#options;
    const until = performance.now() + waitMs;
    let from = query.cursor;
    for (;;) {
      const remainingMs = Math.max(0, Math.ceil(until - performance.now()));
      if (remainingMs === 0) return readFeed(pool, { ...query, cursor: from });
      // Registers before it reads, so that no entry is missed in between.
      const waiting = this.#waiters.add(query);
      try {
        const page = await readFeed(pool, { ...query, cursor: from });
        if (page.items.length > 0 || page.hasMore || this.#isEnding) return page;
        from = page.cursor;
        await waiting.news(remainingMs, signal);
        if (signal.aborted) return page;
      } finally {
        waiting.end();
      }
    }
  }

  /** Does the same as {@link readSnapshot}. */
  snapshot(user: { id: string; userKey: number }, query: SnapshotQuery): Promise<AsyncGenerator<string>> {
    return readSnapshot(this.#options.pool, this.#options.vault, user, query);
  }

  /** Does the same as {@link readDigest}. */
  digest(user: { id: string; userKey: number }, range: DigestRange, signal: AbortSignal): Promise<UserDigest> {
    return readDigest(this.#options.pool, this.#options.vault, user, range, signal);
  }

  /** Ends the waits of readers, so that the server can stop. */
  endWaits(): void {
    this.#isEnding = true;
    this.#waiters.wakeAll();
  }

  /** Compares the feed's state, which the API process that started last sets, with this process's setting. */
  async #compareSetting(): Promise<void> {
    const { pool, isOn, onOtherSetting } = this.#options;
    const { rows } = await pool.query<{ is_on: boolean }>('select is_on from feed_state');
    const isOther = rows[0] !== undefined && rows[0].is_on !== isOn;
    if (isOther && !this.#hasOtherSetting) onOtherSetting?.(!isOn);
    this.#hasOtherSetting = isOther;
  }

  async stop(): Promise<void> {
    clearInterval(this.#watching);
    await this.#sequencer?.stop();
  }
}
