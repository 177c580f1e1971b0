import { MS_PER_MINUTE } from '@healthd/model';
import type pg from 'pg';
import { z } from 'zod';
import { defineJob, type Job, type JobDefinition, type JobSweeper, RETRY_SOON } from '../../platform/jobs/index.js';
import { usersWithoutJob } from './device-batches.js';
import { drainInbox } from './drain-inbox.js';
import type { DrainServices } from './drain-services.js';
import { startedBatches } from './waiting-batches.js';

const PUSH_JOB = 'process-device-batches';
/** Number of users processed concurrently. A user's batches are processed in sequence. */
const USERS_AT_ONCE = 3;
const MAX_DURATION_SECONDS = 600;
/** Time after which the job yields to other users. */
const TURN_MS = MS_PER_MINUTE;

/** The user whose inbox is processed. */
interface PushPayload {
  user_key: number;
}

/** Enqueues the job of a user whose devices have sent data. */
export type PushEnqueuer = Pick<Job<PushPayload>, 'tryEnqueue'>;

/**
 * Empties a user's inbox. A fault in a batch ends that batch. A server error is thrown, and batches that were not ended
 * are processed again. After the last attempt the sweeper finds the user again; each batch counts its own attempts.
 */
export function pushJob(services: DrainServices): JobDefinition<PushPayload> {
  return defineJob({
    name: PUSH_JOB,
    payload: z.object({ user_key: z.int() }),
    key: ({ user_key: userKey }) => `user ${userKey}`,
    concurrency: USERS_AT_ONCE,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_SOON,
    async run({ user_key: userKey }, { signal, log, again }) {
      const { ended, more } = await drainInbox(services, userKey, signal, performance.now() + TURN_MS);
      if (ended > 0) log.debug({ event: 'batches_processed', batches: ended }, 'Processed device batches');
      if (more) await again({ user_key: userKey });
    },
    async onRetry({ user_key: userKey }, { cause, at }) {
      if (cause === 'failed') await reportRetry(services, userKey, at);
    },
    // Reports the next attempt as due now, because the sweeper's next round finds the user.
    onGiveUp: ({ user_key: userKey }) => reportRetry(services, userKey, new Date()),
  });
}

/** Reports the time of the next attempt for batches that were started and not ended. */
async function reportRetry({ pool, runs }: DrainServices, userKey: number, at: Date): Promise<void> {
  const message = 'Interrupted by a server error. See the server log. The batch is retried.';
  for (const { batchId, attempts } of await startedBatches(pool, userKey)) {
    const nextTry = { reason: 'server_fault', attempt: attempts + 1, at };
    await runs.move(batchId, 'started', { message, nextTry });
  }
}

/**
 * Finds users whose batches have no job, because the job store was unavailable or the process crashed before enqueueing
 * it.
 */
export function pushSweeper({ pool }: { pool: pg.Pool }): JobSweeper<PushPayload> {
  return {
    name: PUSH_JOB,
    findUnqueued: async (limit) =>
      (await usersWithoutJob(pool, PUSH_JOB, limit)).map((userKey) => ({ user_key: userKey })),
  };
}
