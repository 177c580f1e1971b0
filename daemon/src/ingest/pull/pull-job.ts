import { MS_PER_MINUTE, type ProviderId } from '@healthd/model';
import { z } from 'zod';
import { defineJob, type JobContext, type JobDefinition, RETRY_SOON } from '../../platform/jobs/index.js';
import { endRun } from './end-run.js';
import { jobConnectionOf, PULL_JOB, type PullJobServices, type PullPayload } from './enqueue-pull.js';
import { locateItems } from './locate-items.js';
import { dueWork, nextResumeAt } from './open-runs.js';
import { PullSession } from './pull-session.js';
import { wakeNextInLine } from './quota-line.js';
import { planWebhookRun } from './webhook-runs.js';

const MAX_DURATION_SECONDS = 600;
/** Time after which the job yields to other accounts. */
const TURN_MS = MS_PER_MINUTE;
/** Time within which the job schedules its next run itself instead of leaving it to the sweeper. */
const SOON_MS = MS_PER_MINUTE;

/**
 * Processes the due runs window by window. Selects the most urgent run before each window, so that a long backfill does
 * not block other runs. A vendor failure postpones or ends a run. A server error is thrown, and the job is retried. One
 * job reads for a connection and for the other users' connections with the same vendor account. Its key is the oldest
 * of these connections, so one account is never read twice concurrently.
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
        let work = await dueWork(pool, connectionId, now());
        const connection = work.hasNotifications ? await connections.findConnectionById(connectionId) : undefined;
        if (connection?.status === 'active') {
          if (locates) locates = await locateItems(services, connection, signal);
          await planWebhookRun(services, connection);
          work = await dueWork(pool, connectionId, now());
        }
        const { run } = work;
        if (!run) {
          await queueNextInLine(services, worked, again);
          return queueInTime(services, connectionId, again);
        }
        if (performance.now() > until) break;
        worked.set(run.runId, run.provider);
        await session.advance(run, work.delivered);
      }
      await queueNextInLine(services, worked, again);
      await again({ connection_id: connectionId });
    },
    async onRetry({ connection_id: connectionId }, { cause, attempt, maxAttempts, at }) {
      // The run resumes after the restart. The interruption does not count as a failed attempt.
      if (cause === 'stopping') return;
      const { run } = await dueWork(pool, connectionId, now());
      if (!run) return;
      const message = 'Interrupted by a server error. See the server log. The run is retried.';
      const nextTry = { reason: 'server_fault', attempt, maxAttempts, at };
      await services.runs.move(run.runId, 'started', { message, nextTry });
    },
    async onGiveUp({ connection_id: connectionId }) {
      const { run } = await dueWork(pool, connectionId, now());
      if (!run) return;
      const text = 'The run failed repeatedly because of a server error. See the server log.';
      await endRun(services, run, { code: 'server_fault', text });
    },
  });
}

/**
 * Wakes the next run that waits for the quota and enqueues its job. @param worked processed runs, with their provider
 */
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
 * Enqueues the job for the time of its next run, if that is soon. A caller may be waiting, and the sweeper's next round
 * may be later. If this process ends first, the sweeper finds the run.
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
