import type { ProviderId } from '@healthd/model';
import { z } from 'zod';
import { defineJob, type JobDefinition, RETRY_NEVER } from '../../platform/jobs/index.js';
import type { ConnectedServices } from './enqueue-pull.js';
import { roundSeconds, schedulePulls } from './schedule-pulls.js';

const SCHEDULE_JOB = 'schedule-pulls';

const MAX_DURATION_SECONDS = 600;

/**
 * Looks a dozen times in each interval for connections whose turn it is, so that they keep the rhythm that their consents
 * gave them and do not all come together.
 */
export function schedulePullsJob(services: ConnectedServices, providers: readonly ProviderId[]): JobDefinition<object> {
  return defineJob({
    name: SCHEDULE_JOB,
    payload: z.object({}),
    concurrency: 1,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_NEVER,
    everySeconds: roundSeconds(services.settings),
    async run(_payload, { signal, log }) {
      const queued = await schedulePulls(services, providers, signal);
      if (queued > 0) log.debug({ event: 'pulls_scheduled', queued }, 'Scheduled pulls');
    },
  });
}
