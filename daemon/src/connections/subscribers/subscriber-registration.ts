import { createHmac } from 'node:crypto';
import type { ProviderId } from '@healthd/model';
import type { SubscriberRegistration } from '@healthd/providers';
import type { ConfiguredCloud } from '../connections.js';

/** A registration in stored form; its digest does not reveal the secret. */
export interface StoredRegistration extends SubscriberRegistration {
  secretDigest: string;
}

export interface RegistrationServices {
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
  /** Returns the URL of the provider's webhook. */
  webhookAddress(provider: ProviderId): string;
  /** Key for the digests of secrets. Has no other use. */
  digestKey: Uint8Array;
}

/** Returns the registration that this service would make; undefined if the operator's credentials are not set. */
export type RegistrationOf = (provider: ProviderId) => StoredRegistration | undefined;

/** Creates registrations from the settings of this process. */
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
