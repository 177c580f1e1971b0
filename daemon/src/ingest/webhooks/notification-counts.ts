import { MS_PER_SECOND } from '@healthd/model';
import type pg from 'pg';
import type { Cleaning } from '../../platform/cleaning.js';
import type { PullMetrics } from '../pull/index.js';

type Outcome = Parameters<PullMetrics['notified']>[1];

const WRITE_EVERY_MS = 10 * MS_PER_SECOND;
const RETENTION_DAYS = 90;
const CLEAN_EVERY_SECONDS = 86_400;

/**
 * Counts vendor notifications by day and outcome across all processes. Writes every ten seconds, so that many
 * rejections cost one statement. A killed process loses the counts of its last seconds.
 */
export class NotificationCounts {
  #pending = new Map<string, { provider: string; outcome: Outcome; notifications: number }>();
  #writing: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  /** @param onFailure called with the reason if counts could not be written; the next write includes them */
  constructor(
    private readonly pool: pg.Pool,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  note(provider: string, outcome: Outcome, notifications = 1): void {
    const key = `${provider} ${outcome}`;
    const known = this.#pending.get(key);
    if (known) known.notifications += notifications;
    else this.#pending.set(key, { provider, outcome, notifications });
  }

  /** Writes the counts since the last write. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Writes the remaining counts and stops the timer. */
  stop(): Promise<void> {
    clearInterval(this.#timer);
    return this.write();
  }

  async #write(): Promise<void> {
    const counted = [...this.#pending.values()];
    if (counted.length === 0) return;
    this.#pending = new Map();
    try {
      await this.pool.query(
        `insert into notification_count as c (provider, day, outcome, notifications, last_at)
         select provider, (now() at time zone 'UTC')::date, outcome, notifications, now()
         from unnest($1::text[], $2::text[], $3::bigint[]) counted (provider, outcome, notifications)
         on conflict (provider, day, outcome) do update
            set notifications = c.notifications + excluded.notifications, last_at = excluded.last_at`,
        [
          counted.map(({ provider }) => provider),
          counted.map(({ outcome }) => outcome),
          counted.map(({ notifications }) => notifications),
        ],
      );
    } catch (error) {
      for (const { provider, outcome, notifications } of counted) this.note(provider, outcome, notifications);
      this.onFailure(error);
    }
  }
}

/** Deletes notification counts that are older than three months. */
export function notificationCountCleaning({ pool }: { pool: pg.Pool }): Cleaning {
  return {
    name: 'delete-old-notification-counts',
    everySeconds: CLEAN_EVERY_SECONDS,
    async clean({ log }) {
      const { rowCount } = await pool.query(
        `delete from notification_count where day < (now() at time zone 'UTC')::date - ${RETENTION_DAYS}`,
      );
      if (rowCount)
        log.info({ event: 'notification_counts_deleted', rows: rowCount }, 'Deleted old notification counts');
    },
  };
}
