import { SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import type { Cleaning } from '../platform/cleaning.js';
import { deleteOldSyncStatus, type SyncRetention } from './retention.js';

const EVERY_SECONDS = SECONDS_PER_HOUR;

/** Creates the hourly cleanup of old run status. */
export function runCleaning(services: { pool: pg.Pool; retention: SyncRetention }): Cleaning {
  return {
    name: 'delete-old-sync-status',
    everySeconds: EVERY_SECONDS,
    async clean({ signal, log }) {
      const deleted = await deleteOldSyncStatus(services.pool, services.retention, signal);
      if (deleted.events + deleted.runs > 0)
        log.info({ event: 'run_status_deleted', ...deleted }, 'Deleted old runs and their events');
    },
  };
}
