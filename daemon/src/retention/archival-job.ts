import { MS_PER_MINUTE, SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import { z } from 'zod';
import { defineJob, type JobDefinition, type JobSweeper, RETRY_NEVER } from '../platform/jobs/index.js';
import { dueRun, endRun, nextDailyRun } from './archival-settings.js';
import { ARCHIVAL_JOB, type ArchivalRun, archiveOldData } from './run-archival.js';

const MAX_DURATION_SECONDS = 6 * SECONDS_PER_HOUR;
/** Delay until a failed run is due again. */
const RETRY_MS = 15 * MS_PER_MINUTE;

/**
 * Creates the job that archives and deletes old data. The due time is in the database, so an interrupted run is
 * repeated.
 */
export function archivalJob({
  pool,
  priorities,
  neverArchived,
}: Pick<ArchivalRun, 'pool' | 'priorities' | 'neverArchived'>): JobDefinition<object> {
  return defineJob({
    name: ARCHIVAL_JOB,
    payload: z.object({}),
    key: () => 'archival',
    concurrency: 1,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_NEVER,
    async run(_payload, { signal, log }) {
      const run = await dueRun(pool);
      if (!run) return;
      const outcome = await archiveOldData({
        pool,
        priorities,
        neverArchived,
        settings: run,
        nowMs: Date.now(),
        signal,
        log,
      });
      const nowMs = Date.now();
      await endRun(pool, run, outcome.failedUsers > 0 ? new Date(nowMs + RETRY_MS) : nextDailyRun(nowMs));
      log.info({ event: 'old_data_archived', ...outcome, task_id: run.taskId }, 'Archived and deleted old data');
    },
  });
}

/** Enqueues the job when a run is due. */
export function archivalSweeper({ pool }: { pool: pg.Pool }): JobSweeper {
  return {
    name: ARCHIVAL_JOB,
    findUnqueued: async () => ((await dueRun(pool)) ? [{}] : []),
  };
}
