import { MS_PER_MINUTE } from '@healthd/model';
import { type JobNotification, type NotificationChannel, type NotificationHandler, toJobId } from 'agenda';
import pg from 'pg';
import type { JobLog } from './definition.js';

const CHANNEL = 'healthd_jobs';
const RECONNECT_FIRST_MS = 250;
const RECONNECT_LONGEST_MS = 10_000;
/** Later jobs are found by the regular look into the store. */
const TIMER_HORIZON_MS = MS_PER_MINUTE;

/**
 * Tells every worker within milliseconds that a job is there, through Postgres LISTEN/NOTIFY, for either job store.
 *
 * Unlike the channel of Agenda's Postgres back end it also publishes from processes that only enqueue, holds a
 * notification of a later job until that job is due, asks the store once for any number of notifications that arrive
 * together, and sends none of the four state messages a job that nobody here listens to. A lost notification costs
 * nothing but the time until the next regular look.
 */
export class JobNotifications implements NotificationChannel {
  /** Agenda publishes while this is `connected`; publishing needs the pool only, so it always is. */
  readonly state = 'connected';
  readonly #publishPool: pg.Pool;
  readonly #connectionString: string;
  readonly #log: JobLog;
  readonly #handlers = new Set<NotificationHandler>();
  readonly #asking = new Map<string, { again: boolean }>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #onListening = (): void => undefined;
  #listener: pg.Client | undefined;
  #listening = false;
  #reconnectDelayMs = RECONNECT_FIRST_MS;

  constructor(options: { publishPool: pg.Pool; connectionString: string; log: JobLog }) {
    this.#publishPool = options.publishPool;
    this.#connectionString = options.connectionString;
    this.#log = options.log;
  }

  /** Called whenever listening begins (again): what was sent before then was missed. */
  whenListening(callback: () => void): void {
    this.#onListening = callback;
  }

  async connect(): Promise<void> {
    this.#listening = true;
    await this.#listen();
  }

  async disconnect(): Promise<void> {
    this.#listening = false;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    const listener = this.#listener;
    this.#listener = undefined;
    await listener?.end().catch(() => undefined);
  }

  subscribe(handler: NotificationHandler): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Sent without waiting: anyone who enqueues has nothing to gain from knowing that it arrived. */
  publish(notification: JobNotification): Promise<void> {
    const payload = JSON.stringify({ name: notification.jobName, at: notification.nextRunAt?.getTime() });
    this.#publishPool.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch((error: unknown) => {
      this.#log.debug({ event: 'job_notification_failed', err: error }, 'Failed to send a job notification');
    });
    return Promise.resolve();
  }

  /** Makes this process look for due jobs of this name now. Calls during a look are answered by one more look. */
  nudge(name: string): void {
    const asking = this.#asking.get(name);
    if (asking !== undefined) {
      asking.again = true;
      return;
    }
    void this.#ask(name);
  }

  on(): this {
    return this;
  }

  off(): this {
    return this;
  }

  async #ask(name: string): Promise<void> {
    const state = { again: true };
    this.#asking.set(name, state);
    while (state.again && this.#listening) {
      state.again = false;
      // Without a time Agenda looks at once; with one it compares with its last scan, which is old while it is at its limit.
      const notification = { jobId: toJobId(''), jobName: name, nextRunAt: null, priority: 0, timestamp: new Date() };
      await Promise.allSettled([...this.#handlers].map(async (handler) => handler(notification)));
    }
    this.#asking.delete(name);
  }

  async #listen(): Promise<void> {
    if (!this.#listening) return;
    const client = new pg.Client({ connectionString: this.#connectionString, keepAlive: true });
    this.#listener = client;
    let lost = false;
    const onLost = (error?: Error): void => {
      if (lost) return;
      lost = true;
      client.end().catch(() => undefined);
      if (this.#listener === client) this.#reconnectLater(error);
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    client.on('notification', ({ payload }) => this.#received(payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#reconnectDelayMs = RECONNECT_FIRST_MS;
      this.#onListening();
    } catch (error) {
      onLost(error instanceof Error ? error : undefined);
    }
  }

  #reconnectLater(error: Error | undefined): void {
    if (!this.#listening) return;
    this.#log.warn(
      { event: 'job_notifications_interrupted', err: error, retryInMs: this.#reconnectDelayMs },
      'Lost the connection for job notifications; reconnecting',
    );
    this.#later(this.#reconnectDelayMs, () => void this.#listen());
    this.#reconnectDelayMs = Math.min(this.#reconnectDelayMs * 2, RECONNECT_LONGEST_MS);
  }

  #received(payload: string | undefined): void {
    const notification = parse(payload);
    if (notification === undefined) return;
    const waitMs = notification.at - Date.now();
    if (waitMs <= 0) this.nudge(notification.name);
    else if (waitMs <= TIMER_HORIZON_MS) this.#later(waitMs + 1, () => this.nudge(notification.name));
  }

  #later(waitMs: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, waitMs);
    this.#timers.add(timer);
  }
}

function parse(payload: string | undefined): { name: string; at: number } | undefined {
  try {
    const value: unknown = JSON.parse(payload ?? '');
    if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string')
      return undefined;
    return { name: value.name, at: 'at' in value && typeof value.at === 'number' ? value.at : 0 };
  } catch {
    return undefined;
  }
}
