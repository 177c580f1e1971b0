import pg from 'pg';
import { connectionSettings } from './pool.js';

/** A listener of one Postgres channel. */
export interface ChannelListener {
  onMessage?(payload: string): void;
  /**
   * Called whenever listening starts: the first time, and after each interruption. Messages before this call were
   * missed.
   */
  onListening?(): void;
}

export interface ChannelSubscription {
  /** Resolves after the first attempt to listen, successful or not. */
  attempted: Promise<void>;
  /** Stops the listener's calls. */
  end(): void;
}

export interface DatabaseChannelsOptions {
  url: string;
  /** Called when the connection is lost or cannot be opened. The next attempt follows after `retryInMs`. */
  onInterrupted?(error: unknown, retryInMs: number): void;
}

interface OpenConnection {
  client: pg.Client;
  onLost(error: unknown): void;
  /** The last LISTEN statement. The next statement waits for it, because a connection runs one statement at a time. */
  statement: Promise<unknown>;
}

const RECONNECT_FIRST_MS = 100;
const RECONNECT_LONGEST_MS = 5000;
const CONNECT_LIMIT_MS = 10_000;

/**
 * The LISTEN channels of this process, on one connection. Opens the connection for the first listener and reopens it
 * when it is lost. Calls `onListening` after each reopening, so that listeners can catch up.
 */
export class DatabaseChannels {
  readonly #options: DatabaseChannelsOptions;
  readonly #listeners = new Map<string, Set<ChannelListener>>();
  /** The last connection, open or not. */
  #client: pg.Client | undefined;
  /** Set while the connection accepts statements. */
  #open: OpenConnection | undefined;
  #attempted: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryInMs = RECONNECT_FIRST_MS;
  #closed = false;

  constructor(options: DatabaseChannelsOptions) {
    this.#options = options;
  }

  /** Calls the listener for each message of a channel. @param channel an SQL identifier without quotes */
  listen(channel: string, listener: ChannelListener): ChannelSubscription {
    if (this.#closed) return { attempted: Promise.resolve(), end: () => undefined };
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    this.#attempted ??= this.#connect();
    return {
      attempted: this.#open ? this.#begin(this.#open, [channel], [listener]) : this.#attempted,
      end: () => void listeners.delete(listener),
    };
  }

  /** Closes the connection and stops calling listeners. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      ...connectionSettings({ url: this.#options.url, applicationName: 'healthd channels' }),
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      keepAlive: true,
    });
    this.#client = client;
    let lost = false;
    const onLost = (error: unknown): void => {
      if (lost) return;
      lost = true;
      this.#open = undefined;
      client.end().catch(() => undefined);
      if (!this.#closed) this.#connectLater(error);
    };
    client.on('error', onLost);
    client.on('end', () => onLost(undefined));
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener.onMessage?.(payload);
    });
    try {
      await client.connect();
    } catch (error) {
      return onLost(error);
    }
    // Listeners that are added later send their own LISTEN statement.
    this.#open = { client, onLost, statement: Promise.resolve() };
    const listeners = [...this.#listeners.values()].flatMap((some) => [...some]);
    await this.#begin(this.#open, [...this.#listeners.keys()], listeners);
  }

  async #begin(
    open: OpenConnection,
    channels: readonly string[],
    listeners: readonly ChannelListener[],
  ): Promise<void> {
    const text = channels.map((channel) => `listen ${channel}`).join('; ');
    open.statement = open.statement.then(() => open.client.query(text));
    try {
      await open.statement;
    } catch (error) {
      return open.onLost(error);
    }
    this.#retryInMs = RECONNECT_FIRST_MS;
    for (const listener of listeners) listener.onListening?.();
  }

  #connectLater(error: unknown): void {
    this.#options.onInterrupted?.(error, this.#retryInMs);
    this.#timer = setTimeout(() => {
      this.#attempted = this.#connect();
    }, this.#retryInMs);
    this.#retryInMs = Math.min(this.#retryInMs * 2, RECONNECT_LONGEST_MS);
  }
}
