import type { ProviderId } from '@healthd/model';
import { PROVIDER_IDS } from '@healthd/model';
import { VendorError } from '@healthd/providers';
import type pg from 'pg';
import { z } from 'zod';
import { defineJob, type JobDefinition, type JobSweeper } from '../jobs/index.js';
import type { ConfiguredCloud } from './connections.js';
import type { ProviderUses } from './provider-uses.js';

export const SUBSCRIBER_JOB = 'settle-subscriber';

/** Three tries a minute apart, as vendors need a moment to see an address that has just come up. */
const RETRY = { maxAttempts: 3, firstDelaySeconds: 60, factor: 1, maxDelaySeconds: 60 };

export interface SubscriberJobServices {
  uses: ProviderUses;
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
  /** Where this service takes the provider's webhooks. */
  webhookAddress(provider: ProviderId): string;
}

/** The job that brings the vendor's subscription in line with a provider's mode. */
export function subscriberJobOf(provider: ProviderId) {
  return { name: SUBSCRIBER_JOB, payload: { provider }, uniqueKey: provider };
}

/**
 * Registers this service at the vendor while the provider is in webhook mode, and takes it off otherwise. What counts is the
 * mode at the time it runs, so that switching to and fro ends right.
 */
export function subscriberJob({ uses, configurationOf, webhookAddress }: SubscriberJobServices): JobDefinition {
  return defineJob({
    name: SUBSCRIBER_JOB,
    payload: z.object({ provider: z.enum(PROVIDER_IDS) }),
    concurrency: 1,
    maxDurationSeconds: 120,
    retry: RETRY,
    async handler({ provider }, { log }) {
      const configured = configurationOf(provider);
      const subscribers = configured?.cloud.subscribers;
      const { liveSyncMode } = await uses.of(provider);
      const subscribing = liveSyncMode === 'webhook';
      if (!configured || !subscribers?.manageable(configured.configuration)) {
        await uses.setSubscriberState(provider, subscribing ? 'unmanaged' : null);
        return;
      }
      const { configuration } = configured;
      try {
        const outcome = subscribing
          ? await subscribers.ensure(configuration, webhookAddress(provider))
          : await subscribers.remove(configuration, subscribers.ownId(configuration));
        await uses.setSubscriberState(provider, subscribing ? 'active' : null);
        log.info({ provider, outcome: outcome.status }, 'the subscription at the vendor is settled');
      } catch (error) {
        // What will not pass by itself is shown at once; the rest after the last try.
        if (!(error instanceof VendorError) || error.passes) throw error;
        await uses.setSubscriberState(provider, 'failed', codeOf(error));
        log.error({ provider, err: error }, 'the subscription at the vendor could not be settled');
      }
    },
    async onGiveUp({ provider }, error) {
      await uses.setSubscriberState(provider, 'failed', codeOf(error));
    },
  });
}

/** Finds providers whose subscription was never settled, because the job store was away when the mode was changed. */
export function subscriberSweeper({ pool }: { pool: pg.Pool }): JobSweeper {
  return {
    name: SUBSCRIBER_JOB,
    async findUnqueued(limit) {
      const { rows } = await pool.query<{ provider: ProviderId }>(
        `select provider from provider_setting
          where (live_sync_mode = 'webhook' and subscriber_state = 'registering')
             or (live_sync_mode is distinct from 'webhook' and subscriber_state in ('registering', 'active'))
          limit $1`,
        [limit],
      );
      return rows.map(({ provider }) => subscriberJobOf(provider));
    },
  };
}

function codeOf(error: Error): string {
  return error instanceof VendorError ? error.message : 'internal_error';
}
