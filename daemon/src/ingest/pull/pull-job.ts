import { MS_PER_MINUTE, type ProviderId } from '@healthd/model';
import { z } from 'zod';
import { defineJob, type JobDefinition, RETRY_SOON } from '../../platform/jobs/index.js';
import { advanceRun } from './advance-run.js';
import { endRun } from './end-run.js';
import { locateItems } from './locate-items.js';
import { nextDueRun } from './open-runs.js';
import { PULL_JOB, type PullJobServices, type PullPayload } from './pull-payload.js';
import { PullTurn } from './pull-turn.js';
import { queueInTime, queueNextInLine } from './queue-next-run.js';
import { planWebhookRun } from './webhook-runs.js';

const MAX_DURATION_SECONDS = 600;
/** After this time others get their turn. */
const TURN_MS = MS_PER_MINUTE;

/**
 * Works on the runs that are due, window by window: before each the most urgent run is chosen again, so that a backfill
 * of months holds nothing up. A fault of the vendor's puts a run off or ends it; a fault of ours is thrown and the job
 * repeated. One job reads for a connection and for those of other users with the same vendor account; its key is the oldest
 * of them, so that one account is never read twice at the same time.
 */
export function pullJob(services: PullJobServices): JobDefinition<PullPayload> {
  const { pool, connections, now } = services;
  return defineJob({
    name: PULL_JOB,
    payload: z.object({ connection_id: z.uuid() }),
    key: ({ connection_id: connectionId }) => `connection ${connectionId}`,
    concurrency: services.accountsAtOnce,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_SOON,
    async run({ connection_id: connectionId }, { signal, again }) {
      const turn = new PullTurn(services, signal);
      const until = performance.now() + TURN_MS;
      const worked = new Map<string, ProviderId>();
      let locates = true;
      for (;;) {
        signal.throwIfAborted();
        const connection = await connections.findConnectionById(connectionId);
        if (connection?.status === 'active') {
          if (locates) locates = await locateItems(services, connection, signal);
          await planWebhookRun(services, connection);
        }
        const run = await nextDueRun(pool, connectionId, now());
        if (!run) {
          await queueNextInLine(services, worked, again);
          return queueInTime(services, connectionId, again);
        }
        if (performance.now() > until) break;
        worked.set(run.runId, run.provider);
        await advanceRun(services, turn, run, signal);
      }
      await queueNextInLine(services, worked, again);
      await again({ connection_id: connectionId });
    },
    async onRetry({ connection_id: connectionId }, { cause, attempt, maxAttempts, at }) {
      // A run goes on where it was when the process is back: that is no attempt that failed.
      if (cause === 'stopping') return;
      const run = await nextDueRun(pool, connectionId, now());
      if (!run) return;
      const message = 'Interrupted because of a fault of the server\u2019s; its log says which. It is tried again.';
      const nextTry = { reason: 'server_fault', attempt, maxAttempts, at };
      await services.runs.move(run.runId, 'started', { message, nextTry });
    },
    async onGiveUp({ connection_id: connectionId }) {
      const run = await nextDueRun(pool, connectionId, now());
      if (!run) return;
      const text = 'The run failed again and again for a reason of the server\u2019s. Its log says why.';
      await endRun(services, run, { code: 'server_fault', text });
    },
  });
}
