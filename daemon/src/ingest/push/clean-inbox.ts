import type pg from 'pg';
import type { Cleaning } from '../../platform/cleaning.js';
import { deleteEndedBatches } from './device-batches.js';

const EVERY_SECONDS = 600;

/** Deletes ended batches after some days: until then an idempotency key is known and a failed body can be looked at. */
export function inboxCleaning({ pool, keepDays }: { pool: pg.Pool; keepDays: number }): Cleaning {
  return {
    name: 'clean-device-inbox',
    everySeconds: EVERY_SECONDS,
    async clean({ log, signal }) {
      const deleted = await deleteEndedBatches(pool, keepDays, signal);
      if (deleted > 0) log.info({ event: 'batches_deleted', deleted }, 'Deleted ended device batches');
    },
  };
}
