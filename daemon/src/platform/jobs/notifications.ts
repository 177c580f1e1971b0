import { MS_PER_MINUTE } from '@healthd/model';
import { type JobNotification, type NotificationChannel, type NotificationHandler, toJobId } from 'agenda';
import type pg from 'pg';
import type { ChannelSubscription, DatabaseChannels } from '../database/index.js';
import type { JobLog } from './definition.js';

const CHANNEL = 'healthd_jobs';
/** Later jobs are found by regular polling. */
const TIMER_HORIZON_MS = MS_PER_MINUTE;

/**
 * Notifies all workers of a new job within milliseconds through Postgres LISTEN/NOTIFY, for both job stores, on the
 * process's shared channel connection.
 * Unlike the channel of Agenda's Postgres back end, it also publishes from processes that only enqueue, delays the
 * notification of a later job until the job is due, queries the store once for concurrent notifications, and does not
 * send the four state messages per job, which nothing here uses. A lost notification only delays a job until the next
 * poll.
 */
export class JobNotifications implements NotificationChannel {
  /** Agenda publishes while this is `connected`. Publishing only needs the pool, so it always is. */
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

  /** Called whenever listening starts (again): earlier messages were missed. */
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

  /** Does not wait, because the caller does not depend on the notification. */
  publish(notification: JobNotification): Promise<void> {
    const payload = JSON.stringify({ name: notification.jobName, at: notification.nextRunAt?.getTime() });
    this.#publishPool.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch((error: unknown) => {
      this.#log.debug({ event: 'job_notification_failed', err: error }, 'Failed to send a job notification');
    });
    return Promise.resolve();
  }

  /** Makes this process look for due jobs of this name. Calls during a query cause one more query. */
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
    while (state.again && this.#subscription) {
      state.again = false;
      // Without a time, Agenda queries immediately. With a time, Agenda compares it with the time of its last scan,
      // which is old while all slots are taken.
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
