import { createHmac } from 'node:crypto';
import type { ProviderId } from '@healthd/model';
import type { SubscriberRegistration } from '@healthd/providers';
import type { ConfiguredCloud } from '../connections.js';

/** A registration as it is stored; its digest does not reveal the secret. */
export interface StoredRegistration extends SubscriberRegistration {
  secretDigest: string;
}

export interface RegistrationServices {
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
  /** Where this service takes the provider's webhooks. */
  webhookAddress(provider: ProviderId): string;
  /** Of the secrets' digests; used for nothing else. */
  digestKey: Uint8Array;
}

/** What this service would register at the vendor; undefined where the operator's credentials are not set. */
export type RegistrationOf = (provider: ProviderId) => StoredRegistration | undefined;

/** Registrations by the settings of this process. */
export function createRegistrations({
  configurationOf,
  webhookAddress,
  digestKey,
}: RegistrationServices): RegistrationOf {
  return (provider) => {
    const { cloud, configuration } = configurationOf(provider) ?? {};
    if (!configuration || !cloud?.subscribers?.manageable(configuration)) return undefined;
    const secret = configuration.webhookSecret ?? '';
    return {
      ...cloud.subscribers.registration(configuration, webhookAddress(provider)),
      secretDigest: createHmac('sha256', digestKey).update(secret).digest('base64url'),
    };
  };
}
