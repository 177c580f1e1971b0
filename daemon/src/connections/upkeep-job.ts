import { SECONDS_PER_HOUR } from '@healthd/model';
import { z } from 'zod';
import { defineJob, type JobDefinition, RETRY_NEVER } from '../platform/jobs/index.js';

export const CONNECTION_UPKEEP_JOB = 'clean-connections';

const EVERY_SECONDS = SECONDS_PER_HOUR;

/**
 * Deletes states of consents that nobody completed, and budgets that have long been full again; registers subscribers
 * again that are outdated still, e.g. because an earlier process had them in progress while this one started.
 */
export function connectionUpkeepJob(services: {
  states: { purge(): Promise<number> };
  budgets: { purge(): Promise<number> };
  renewSubscribers(): Promise<void>;
}): JobDefinition<object> {
  return defineJob({
    name: CONNECTION_UPKEEP_JOB,
    payload: z.object({}),
    concurrency: 1,
    maxDurationSeconds: EVERY_SECONDS,
    retry: RETRY_NEVER,
    everySeconds: EVERY_SECONDS,
    async run(_payload, { log }) {
      const deleted = { states: await services.states.purge(), budgets: await services.budgets.purge() };
      await services.renewSubscribers();
      if (deleted.states > 0)
        log.debug({ event: 'consent_states_deleted', ...deleted }, 'Deleted what was left of unfinished consents');
    },
  });
}
