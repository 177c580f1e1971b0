import { SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import { z } from 'zod';
import { defineJob, type JobDefinition, RETRY_NEVER } from '../../platform/jobs/index.js';

export const CLEAN_NOTIFICATIONS_JOB = 'delete-old-notifications';

const EVERY_SECONDS = SECONDS_PER_HOUR;
const KEEP_DAYS = 30;
const ROWS_PER_STATEMENT = 5_000;

/**
 * Deletes notifications that are older than a month (until then they show how often a vendor reports changes), and those
 * about accounts that nobody is connected to any more.
 */
export function cleanNotificationsJob({ pool }: { pool: pg.Pool }): JobDefinition<object> {
  return defineJob({
    name: CLEAN_NOTIFICATIONS_JOB,
    payload: z.object({}),
    concurrency: 1,
    maxDurationSeconds: EVERY_SECONDS,
    retry: RETRY_NEVER,
    everySeconds: EVERY_SECONDS,
    async run(_payload, { signal, log }) {
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
  });
}
