import type { ProviderId } from '@healthd/model';
import { z } from 'zod';
import { defineJob, type JobDefinition, RETRY_NEVER } from '../../platform/jobs/index.js';
import type { ConnectedServices } from './connected.js';
import { schedulePulls } from './schedule-pulls.js';

const SCHEDULE_JOB = 'schedule-pulls';

const MAX_DURATION_SECONDS = 600;
const LONGEST_ROUND_SECONDS = 300;

/**
 * Looks a dozen times in each interval for connections whose turn it is, so that they keep the rhythm that their consents
 * gave them and do not all come together.
 */
export function schedulePullsJob(services: ConnectedServices, providers: readonly ProviderId[]): JobDefinition<object> {
  const everySeconds = Math.floor(services.settings.syncIntervalSeconds / 12);
  return defineJob({
    name: SCHEDULE_JOB,
    payload: z.object({}),
    concurrency: 1,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_NEVER,
    everySeconds: Math.max(1, Math.min(LONGEST_ROUND_SECONDS, everySeconds)),
    async run(_payload, { signal, log }) {
      const queued = await schedulePulls(services, providers, signal);
      if (queued > 0) log.debug({ event: 'pulls_scheduled', queued }, 'Scheduled pulls');
    },
  });
}
