import { SECONDS_PER_HOUR } from '@healthd/model';
import type { Cleaning } from '../platform/cleaning.js';

const EVERY_SECONDS = SECONDS_PER_HOUR;

/**
 * Deletes expired consent states, links that ended long ago, and refilled budgets. Also registers outdated subscribers
 * again, for example if an earlier process was still registering them while this process started.
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
