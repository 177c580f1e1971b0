import { SECONDS_PER_DAY } from '@healthd/model';
import type { Cleaning } from '../platform/cleaning.js';
import type { Accounts } from './accounts.js';

const EVERY_SECONDS = SECONDS_PER_DAY;

/** Creates the daily cleanup of expired refresh tokens, codes, invitations and call counts. */
export function credentialCleaning(services: { accounts: Pick<Accounts, 'purge'> }): Cleaning {
  return {
    name: 'delete-expired-credentials',
    everySeconds: EVERY_SECONDS,
    async clean({ log }) {
      const deleted = await services.accounts.purge();
      if (Object.values(deleted).some((count) => count > 0))
        log.info({ event: 'expired_credentials_deleted', ...deleted }, 'Deleted expired credentials');
    },
  };
}
