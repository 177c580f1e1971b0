import { SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import { z } from 'zod';
import { defineJob, type JobDefinition, RETRY_NEVER } from '../platform/jobs/index.js';
import { deleteOldSyncStatus, type SyncRetention } from './retention.js';

export const SYNC_RETENTION_JOB = 'delete-old-sync-status';

const EVERY_SECONDS = SECONDS_PER_HOUR;

/** Deletes old run status every hour. */
export function syncRetentionJob(services: { pool: pg.Pool; retention: SyncRetention }): JobDefinition<object> {
  return defineJob({
    name: SYNC_RETENTION_JOB,
    payload: z.object({}),
    concurrency: 1,
    maxDurationSeconds: EVERY_SECONDS,
    retry: RETRY_NEVER,
    everySeconds: EVERY_SECONDS,
    async run(_payload, { signal, log }) {
      const deleted = await deleteOldSyncStatus(services.pool, services.retention, signal);
      if (deleted.events + deleted.runs > 0)
        log.info({ event: 'run_status_deleted', ...deleted }, 'Deleted old run status');
    },
  });
}
