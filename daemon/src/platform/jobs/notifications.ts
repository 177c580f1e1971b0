import { MS_PER_MINUTE } from '@healthd/model';
import { type JobNotification, type NotificationChannel, type NotificationHandler, toJobId } from 'agenda';
import type pg from 'pg';
import type { ChannelSubscription, DatabaseChannels } from '../database/index.js';
import type { JobLog } from './definition.js';

const CHANNEL = 'healthd_jobs';
/** Maximum delay of a timer. Regular polling finds jobs that are due later. */
const TIMER_HORIZON_MS = MS_PER_MINUTE;

/**
 * Notifies all workers of a new job within milliseconds, through Postgres LISTEN/NOTIFY on the process's shared channel
 * connection. Works for both job stores.
 * Differs from the channel of Agenda's Postgres back end: it also publishes from processes that only enqueue. It delays
 * the notification of a later job until the job is due. It queries the store once for concurrent notifications. It
 * omits the four state messages per job, which this service does not use. A lost notification only delays a job until
 * the next poll.
 */
export class JobNotifications implements NotificationChannel {
  /** Agenda publishes only while this is `connected`. It is constant, because publishing needs only the pool. */
  readonly state = 'connected';
  readonly #publishPool: pg.Pool;
  readonly #channels: DatabaseChannels;
  readonly #log: JobLog;
  readonly #handlers = new Set<NotificationHandler>();
  readonly #asking = new Map<string, { again: boolean }>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #onListening = (): void => undefined;
  #subscription: ChannelSubscription | undefined;

  constructor(options: { publishPool: pg.Pool; channels: DatabaseChannels; log: JobLog }) {
    this.#publishPool = options.publishPool;
    this.#channels = options.channels;
    this.#log = options.log;
  }

  /**
   * Sets the callback for each start of listening, the first and after each interruption. Earlier messages were missed.
   */
  whenListening(callback: () => void): void {
    this.#onListening = callback;
  }

  async connect(): Promise<void> {
    this.#subscription = this.#channels.listen(CHANNEL, {
      onMessage: (payload) => this.#received(payload),
      onListening: () => this.#onListening(),
    });
    await this.#subscription.attempted;
  }

  disconnect(): Promise<void> {
    this.#subscription?.end();
    this.#subscription = undefined;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    return Promise.resolve();
  }

  subscribe(handler: NotificationHandler): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Sends a notification without waiting, because the caller does not depend on it. */
  publish(notification: JobNotification): Promise<void> {
    const payload = JSON.stringify({ name: notification.jobName, at: notification.nextRunAt?.getTime() });
    this.#publishPool.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch((error: unknown) => {
      this.#log.debug({ event: 'job_notification_failed', err: error }, 'Failed to send a job notification');
    });
    return Promise.resolve();
  }

  /** Makes this process query due jobs of this name. Calls during a query cause only one more query. */
  nudge(name: string): void {
    const query = this.#asking.get(name);
    if (query !== undefined) {
      query.again = true;
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
    while (state.again && this.#subscription) {
      state.again = false;
      // Omits the time, so that Agenda queries immediately. Agenda would compare a time with its last scan, which is
      // old while all slots are taken.
      const notification = { jobId: toJobId(''), jobName: name, nextRunAt: null, priority: 0, timestamp: new Date() };
      await Promise.allSettled([...this.#handlers].map(async (handler) => handler(notification)));
    }
    this.#asking.delete(name);
  }

  #received(payload: string): void {
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

function parse(payload: string): { name: string; at: number } | undefined {
  try {
    const value: unknown = JSON.parse(payload);
    if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string')
      return undefined;
    return { name: value.name, at: 'at' in value && typeof value.at === 'number' ? value.at : 0 };
  } catch {
    return undefined;
  }
}
