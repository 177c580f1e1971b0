import type { ProviderId } from '@healthd/model';
import { PROVIDER_IDS } from '@healthd/model';
import { type ProviderConfiguration, type SubscriberAdapter, VendorError } from '@healthd/providers';
import { z } from 'zod';
import {
  defineJob,
  type Job,
  type JobContext,
  type JobDefinition,
  type JobSweeper,
} from '../../platform/jobs/index.js';
import type { ConfiguredCloud } from '../connections.js';
import type { ProviderSettings } from '../providers/provider-settings.js';
import type { IssuedSecrets } from './issued-secrets.js';
import type { RegistrationOf, StoredRegistration } from './subscriber-registration.js';

const SUBSCRIBER_JOB = 'settle-subscriber';

/**
 * Three attempts with pauses of a minute, because vendors need a moment until they can reach a URL that has just become
 * available.
 */
const RETRY = { maxAttempts: 3, firstDelaySeconds: 60, factor: 1, maxDelaySeconds: 60 };

export interface SubscriberJobServices {
  uses: ProviderSettings;
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
  registrationOf: RegistrationOf;
  givenSecrets: Pick<IssuedSecrets, 'ensure'>;
}

interface SubscriberPayload {
  provider: ProviderId;
}

/** Enqueues the job that brings the vendor's subscription in line with a provider's mode. */
export type SubscriberEnqueuer = Pick<Job<SubscriberPayload>, 'tryEnqueue'>;

/**
 * Registers this service at the vendor in webhook mode, and removes the registration otherwise. Uses the mode at the
 * time of the run, so that the last of several mode changes applies.
 */
export function subscriberJob({
  uses,
  configurationOf,
  registrationOf,
  givenSecrets: issuedSecrets,
}: SubscriberJobServices): JobDefinition<SubscriberPayload> {
  return defineJob({
    name: SUBSCRIBER_JOB,
    payload: z.object({ provider: z.enum(PROVIDER_IDS) }),
    key: ({ provider }) => provider,
    concurrency: 1,
    maxDurationSeconds: 120,
    retry: RETRY,
    async run({ provider }, { log }) {
      const configured = configurationOf(provider);
      const subscribers = configured?.cloud.subscribers;
      const { liveSyncMode, subscriberState, registeredEndpoint } = await uses.of(provider);
      const subscribing = liveSyncMode === 'webhook';
      if (subscribing && subscriberState === 'active' && configured && subscribers?.renew) {
        const { configuration } = configured;
        return prolong({ subscribers, configuration, givenSecrets: issuedSecrets }, registrationOf(provider), {
          provider,
          log,
        });
      }
      // Skips work that is already done, because the sweeper may have queued the job again while the job ran. A
      // rejected registration is not retried until something changes.
      if (subscribing ? subscriberState !== 'registering' : subscriberState === undefined) return;
      const registration = registrationOf(provider);
      if (!configured || !subscribers || !registration) {
        await uses.setSubscriberState(provider, subscribing ? 'unmanaged' : null);
        return;
      }
      const { configuration } = configured;
      try {
        const { endpoint } = registration;
        const outcomes = subscribing
          ? await issuedSecrets.ensure(provider, subscribers, configuration, endpoint, { replaces: registeredEndpoint })
          : await subscribers.removeOwn(configuration, endpoint);
        await uses.setSubscriberState(provider, subscribing ? 'active' : null, subscribing ? { registration } : {});
        log.info(
          {
            event: 'subscription_settled',
            provider,
            outcome: outcomes.map(({ status }) => status),
          },
          'Updated the subscription at the vendor',
        );
      } catch (error) {
        // Reports permanent errors immediately and transient errors after the last attempt.
        if (!(error instanceof VendorError) || mayRetrySucceed(error)) throw error;
        await uses.setSubscriberState(provider, 'failed', { error: codeOf(error), registration });
        log.error(
          { event: 'subscription_failed', provider, err: error },
          'Failed to update the subscription at the vendor',
        );
      }
    },
    async onGiveUp({ provider }, error) {
      const { liveSyncMode, subscriberState } = await uses.of(provider);
      // Only a renewal failed. The registration is valid until it expires, and the renewal is retried in the next hour.
      if (liveSyncMode === 'webhook' && subscriberState === 'active') return;
      await uses.setSubscriberState(provider, 'failed', {
        error: codeOf(error),
        registration: registrationOf(provider),
      });
    },
  });
}

/** Renews subscriptions that expire, and recreates subscriptions that the vendor has canceled. */
async function prolong(
  {
    subscribers,
    configuration,
    givenSecrets: issuedSecrets,
  }: {
    subscribers: SubscriberAdapter;
    configuration: ProviderConfiguration;
  } & Pick<SubscriberJobServices, 'givenSecrets'>,
  registration: StoredRegistration | undefined,
  { provider, log }: SubscriberPayload & Pick<JobContext<SubscriberPayload>, 'log'>,
): Promise<void> {
  if (!registration) return;
  try {
    await issuedSecrets.ensure(provider, subscribers, configuration, registration.endpoint);
  } catch (error) {
    log.warn(
      { event: 'subscriber_renewal_failed', provider, err: error },
      'Failed to renew the subscriptions at the vendor; retrying later',
    );
  }
}

/** Finds providers whose subscription was not updated because the job store was unavailable when the mode changed. */
export function subscriberSweeper({ uses }: Pick<SubscriberJobServices, 'uses'>): JobSweeper<SubscriberPayload> {
  return {
    name: SUBSCRIBER_JOB,
    findUnqueued: async (limit) => (await uses.unsettled(limit)).map((provider) => ({ provider })),
  };
}

/**
 * True if a retry may succeed. A URL that the vendor cannot verify yet may be behind a proxy or process that is still
 * starting.
 */
function mayRetrySucceed({ isTransient, code }: VendorError): boolean {
  return isTransient || code === 'invalid_request';
}

function codeOf(error: Error): string {
  return error instanceof VendorError ? error.message : 'internal_error';
}
