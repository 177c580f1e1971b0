import { SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import type { Cleaning } from '../../platform/cleaning.js';

const EVERY_SECONDS = SECONDS_PER_HOUR;
const KEEP_DAYS = 30;
const ROWS_PER_STATEMENT = 5_000;

/**
 * Deletes notifications older than a month and notifications for accounts without a connection. Until then they show
 * how often a vendor reports changes.
 */
export function notificationCleaning({ pool }: { pool: pg.Pool }): Cleaning {
  return {
    name: 'delete-old-notifications',
    everySeconds: EVERY_SECONDS,
    async clean({ signal, log }) {
      let total = 0;
      for (;;) {
        signal.throwIfAborted();
        const { rowCount } = await pool.query(
          `delete from provider_notification where seq in (
             select n.seq from provider_notification n
              where n.received_at < now() - make_interval(days => $1)
                 or not exists (select from connection c
                                 where c.provider = n.provider and c.provider_user_id = n.provider_user_id)
              limit $2)`,
          [KEEP_DAYS, ROWS_PER_STATEMENT],
        );
        total += rowCount ?? 0;
        if ((rowCount ?? 0) < ROWS_PER_STATEMENT) break;
      }
      if (total > 0) log.info({ event: 'notifications_deleted', deleted: total }, 'Deleted old vendor notifications');
    },
  };
}
