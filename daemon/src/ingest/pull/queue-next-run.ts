import { MS_PER_MINUTE, type ProviderId } from '@healthd/model';
import type { JobContext } from '../../platform/jobs/index.js';
import { jobConnectionOf } from './job-connection.js';
import { nextResumeAt } from './open-runs.js';
import type { PullJobServices, PullPayload } from './pull-payload.js';
import { wakeNextInLine } from './quota-line.js';

/** What is due within this time is not left to the sweeper. */
const SOON_MS = MS_PER_MINUTE;

/** @param worked the runs that this turn worked on */
export async function queueNextInLine(
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
export async function queueInTime(
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
