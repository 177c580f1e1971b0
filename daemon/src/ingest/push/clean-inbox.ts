import type pg from 'pg';
import type { Cleaning } from '../../platform/cleaning.js';
import { deleteEndedBatches } from './device-batches.js';

const EVERY_SECONDS = 600;

/**
 * Deletes ended batches after some days. Until then their idempotency keys are recognized and failed bodies can be
 * inspected.
 */
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
