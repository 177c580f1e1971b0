import { type ProviderId, SECONDS_PER_HOUR } from '@healthd/model';
import { type Provider, VendorError } from '@healthd/providers';
import type pg from 'pg';
import { z } from 'zod';
import { defineJob, type JobDefinition, RETRY_NEVER } from '../../platform/jobs/index.js';
import type { TokenOwner, TokenRenewal } from './token-renewal.js';

const MAX_DURATION_SECONDS = SECONDS_PER_HOUR;
const EVERY_SECONDS = 24 * SECONDS_PER_HOUR;
/**
 * Time after an access token's expiry at which the tokens of an idle connection are renewed. Garmin's refresh tokens
 * last about 90 days, so this leaves weeks for a vendor outage.
 */
const IDLE_DAYS = 30;

export interface IdleTokenServices {
  pool: pg.Pool;
  renewal: Pick<TokenRenewal, 'sourceOf'>;
  configurationOf(provider: ProviderId): unknown;
}

/**
 * Renews tokens that are rarely used. A vendor that only delivers is hardly ever queried, and an unused refresh token
 * expires. Without a refresh token, the service can neither request history nor end a registration.
 */
export function idleTokensJob(services: IdleTokenServices, providers: readonly Provider[]): JobDefinition<object> {
  const onlyDelivering = providers.filter(({ cloud }) => cloud?.deliveries && !cloud.pull).map(({ id }) => id);
  return defineJob({
    name: 'renew-idle-tokens',
    payload: z.object({}),
    concurrency: 1,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_NEVER,
    everySeconds: EVERY_SECONDS,
    async run(_payload, { signal, log }) {
      const configured = onlyDelivering.filter((id) => services.configurationOf(id) !== undefined);
      let renewed = 0;
      for (const owner of await idleOwners(services.pool, configured)) {
        signal.throwIfAborted();
        try {
          await services.renewal.sourceOf(owner).current();
          renewed += 1;
        } catch (error) {
          if (!(error instanceof VendorError)) throw error;
          log.warn(
            { event: 'idle_token_not_renewed', err: error, connection_id: owner.id, provider: owner.provider },
            'Failed to renew an idle token',
          );
        }
      }
      if (renewed > 0) log.info({ event: 'idle_tokens_renewed', renewed }, 'Renewed idle tokens');
    },
  });
}

/** Returns owners whose access token expired more than `IDLE_DAYS` ago, the earliest expiry first. */
async function idleOwners(pool: pg.Pool, providers: readonly ProviderId[]): Promise<TokenOwner[]> {
  const { rows } = await pool.query<TokenOwner>(
    `select c.id, u.id as "userId", c.provider, c.provider_user_id as "providerUserId"
       from connection c join health_user u using (user_key)
      where c.provider = any ($1::text[]) and c.status = 'active' and c.refresh_token is not null
        and c.token_expires_at < now() - make_interval(days => $2)
      order by c.token_expires_at`,
    [providers, IDLE_DAYS],
  );
  return rows.map(({ providerUserId, ...owner }) => ({ ...owner, providerUserId: providerUserId ?? undefined }));
}
