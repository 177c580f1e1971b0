import { MS_PER_MINUTE, type ProviderId } from '@healthd/model';
import { z } from 'zod';
import { defineJob, type JobContext, type JobDefinition, RETRY_SOON } from '../../platform/jobs/index.js';
import { endRun } from './end-run.js';
import { jobConnectionOf, PULL_JOB, type PullJobServices, type PullPayload } from './enqueue-pull.js';
import { locateItems } from './locate-items.js';
import { nextDueRun, nextResumeAt } from './open-runs.js';
import { PullSession } from './pull-session.js';
import { wakeNextInLine } from './quota-line.js';
import { planWebhookRun } from './webhook-runs.js';

const MAX_DURATION_SECONDS = 600;
/** After this time others get their turn. */
const TURN_MS = MS_PER_MINUTE;
/** What is due within this time is not left to the sweeper. */
const SOON_MS = MS_PER_MINUTE;

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
      const session = new PullSession(services, signal);
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
        await session.advance(run);
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

/** @param worked the runs that this turn worked on */
async function queueNextInLine(
  services: PullJobServices,
  worked: ReadonlyMap<string, ProviderId>,
  again: JobContext<PullPayload>['again'],
): Promise<void> {
  const [provider] = worked.values();
  if (provider === undefined) return;
  const woken = await wakeNextInLine(services, provider, [...worked.keys()]);
  if (woken !== undefined) await again({ connection_id: await jobConnectionOf(services.pool, woken) });
}

/**
 * Has the job queued for the moment when its next run is due, where that is soon: a caller may wait for it, and a round
 * of the sweeper takes as long. If this process ends before, the sweeper finds the run.
 */
async function queueInTime(
  { pool, now }: PullJobServices,
  connectionId: string,
  again: JobContext<PullPayload>['again'],
): Promise<void> {
  const resumeAt = await nextResumeAt(pool, connectionId);
  if (!resumeAt) return;
  const waitMs = Math.max(0, resumeAt.getTime() - now().getTime());
  if (waitMs > SOON_MS) return;
  setTimeout(() => void again({ connection_id: connectionId }), waitMs).unref();
}
