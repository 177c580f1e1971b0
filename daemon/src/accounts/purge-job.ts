import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '@healthd/model';
import { z } from 'zod';
import { defineJob, type JobDefinition, RETRY_NEVER } from '../platform/jobs/index.js';
import type { Accounts } from './accounts.js';

export const PURGE_CREDENTIALS_JOB = 'delete-expired-credentials';

const EVERY_SECONDS = SECONDS_PER_DAY;

/** Deletes refresh tokens, codes, invitations and counts whose time is over, every day. */
export function purgeCredentialsJob(services: { accounts: Pick<Accounts, 'purge'> }): JobDefinition<object> {
  return defineJob({
    name: PURGE_CREDENTIALS_JOB,
    payload: z.object({}),
    concurrency: 1,
    maxDurationSeconds: SECONDS_PER_HOUR,
    retry: RETRY_NEVER,
    everySeconds: EVERY_SECONDS,
    async run(_payload, { log }) {
      const deleted = await services.accounts.purge();
      if (Object.values(deleted).some((count) => count > 0))
        log.info({ event: 'expired_credentials_deleted', ...deleted }, 'Deleted expired credentials');
    },
  });
}
