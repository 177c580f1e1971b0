import { isProviderId, type ProviderId } from '@healthd/model';
import { Failure } from '../../platform/failures.js';

/** How long a vendor may be silent while its delivery is read. */
export const IDLE_SECONDS = 30;

/** The provider in the path of a webhook. @throws Failure `not_found` */
export function knownProvider(text: string): ProviderId {
  if (isProviderId(text)) return text;
  throw new Failure('not_found', `Unknown provider: '${text.slice(0, 64)}'`);
}

/** The failure for a delivery that is not authenticated. */
export function notTheVendor(): Failure {
  return new Failure('unauthenticated', 'Invalid webhook signature');
}

/** The failure for a provider that sends nothing of this kind. */
export function unsupportedProvider(provider: ProviderId): Failure {
  return new Failure('not_implemented', `Provider '${provider}' sends no webhooks of this kind`);
}
