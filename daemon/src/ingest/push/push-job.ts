import { MS_PER_MINUTE } from '@healthd/model';
import type pg from 'pg';
import { z } from 'zod';
import { defineJob, type Job, type JobDefinition, type JobSweeper, RETRY_SOON } from '../../platform/jobs/index.js';
import { usersWithoutJob } from './device-batches.js';
import { drainInbox } from './drain-inbox.js';
import type { DrainServices } from './drain-services.js';
import { begunBatches } from './waiting-batches.js';

const PUSH_JOB = 'process-device-batches';
/** Users side by side; the batches of one user are processed one after the other. */
const USERS_AT_ONCE = 3;
const MAX_DURATION_SECONDS = 600;
/** After this time others get their turn. */
const TURN_MS = MS_PER_MINUTE;

/** Whose inbox is to be emptied. */
interface PushPayload {
  user_key: number;
}

/** Enqueues the job of a user whose devices have sent something. */
export type PushEnqueuer = Pick<Job<PushPayload>, 'tryEnqueue'>;

/**
 * Empties a user's inbox. A fault of a batch ends that batch; a fault of ours is thrown, and what was not ended is
 * processed again. When no attempt is left the sweeper finds the user again, and the batch counts its attempts itself.
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
    // The sweeper finds the user in its next round.
    onGiveUp: ({ user_key: userKey }) => reportRetry(services, userKey, new Date()),
  });
}

/** Says of the batches that were begun and not ended when they are tried again. */
async function reportRetry({ pool, runs }: DrainServices, userKey: number, at: Date): Promise<void> {
  const message = 'Interrupted because of a fault of the server\u2019s; its log says which. It is tried again.';
  for (const { batchId, attempts } of await begunBatches(pool, userKey)) {
    const nextTry = { reason: 'server_fault', attempt: attempts + 1, at };
    await runs.move(batchId, 'started', { message, nextTry });
  }
}

/** Finds users whose batches have no job: the job store was away, or the process died before it was enqueued. */
export function pushSweeper({ pool }: { pool: pg.Pool }): JobSweeper<PushPayload> {
  return {
    name: PUSH_JOB,
    findUnqueued: async (limit) =>
      (await usersWithoutJob(pool, PUSH_JOB, limit)).map((userKey) => ({ user_key: userKey })),
  };
}
