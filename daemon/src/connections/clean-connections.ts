import { SECONDS_PER_HOUR } from '@healthd/model';
import type { Cleaning } from '../platform/cleaning.js';

const EVERY_SECONDS = SECONDS_PER_HOUR;

/**
 * Deletes expired consent states, links that ended long ago, and refilled budgets. Also registers subscribers again
 * that are still outdated, e.g. because an earlier process was registering them while this one started.
 */
export function connectionCleaning(services: {
  states: { purge(): Promise<number> };
  links: { purge(): Promise<number> };
  budgets: { purge(): Promise<number> };
  renewSubscribers(): Promise<void>;
}): Cleaning {
  return {
    name: 'clean-connections',
    everySeconds: EVERY_SECONDS,
    async clean({ log }) {
      const deleted = {
        states: await services.states.purge(),
        links: await services.links.purge(),
        budgets: await services.budgets.purge(),
      };
      await services.renewSubscribers();
      if (deleted.states > 0)
        log.debug({ event: 'consent_states_deleted', ...deleted }, 'Deleted expired consent states');
    },
  };
}
