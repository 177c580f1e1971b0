import type { ProviderId } from '@healthd/model';
import type { Logger } from 'pino';
import type { ConfiguredCloud } from '../connections.js';
import type { ProviderSettings } from '../providers/provider-settings.js';
import type { SubscriberEnqueuer } from './subscriber-job.js';
import type { RegistrationOf, StoredRegistration } from './subscriber-registration.js';

export interface SubscriberRenewalServices {
  uses: Pick<ProviderSettings, 'subscribed' | 'markOutdated' | 'of'>;
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
  registrationOf: RegistrationOf;
  subscriptions: SubscriberEnqueuer;
  log: Pick<Logger, 'warn'>;
}

/**
 * Registers subscribers again if their settings, e.g. URL or secret, differ from this process's settings. The service
 * polls the provider until the registration succeeds. Ignores manual registrations; a managed registration that can no
 * longer be managed becomes manual. The subscriber job contacts the vendor and renews expiring subscriptions, so a
 * vendor that hangs does not block startup.
 */
export async function renewSubscribers(services: SubscriberRenewalServices): Promise<void> {
  const { uses, configurationOf, registrationOf, subscriptions, log } = services;
  for (const provider of await uses.subscribed()) {
    const configured = configurationOf(provider);
    if (!configured?.cloud.subscribers) continue;
    const expected = registrationOf(provider);
    const outdated = await uses.markOutdated(provider, expected);
    if (!outdated) {
      const { renew } = configured.cloud.subscribers;
      if (renew && (await uses.of(provider)).subscriberState === 'active') await subscriptions.tryEnqueue({ provider });
      continue;
    }
    const { former } = outdated;
    const leftBehind = former && former.name !== expected?.name ? former.name : undefined;
    log.warn(
      { event: 'subscriber_outdated', provider, changed: differences(former, expected), left_behind: leftBehind },
      expected
        ? 'Registering the subscriber at the vendor again: its settings have changed'
        : 'Stopped managing the subscriber at the vendor: its settings were removed',
    );
    await subscriptions.tryEnqueue({ provider });
  }
}

/** Returns the names of the fields that differ. */
function differences(former: StoredRegistration | undefined, expected: StoredRegistration | undefined): string[] {
  const names = ['name', 'endpoint', 'dataTypes', 'secretDigest'] as const;
  return names.filter((name) => JSON.stringify(former?.[name]) !== JSON.stringify(expected?.[name]));
}
