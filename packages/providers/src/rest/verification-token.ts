import { createHmac } from 'node:crypto';
import type { ProviderConfiguration } from '../cloud/index.js';

/**
 * What a vendor is given when an address is registered and sends back in its challenge. It follows from the secret of the
 * OAuth client, so every process knows it and it reveals no other secret; undefined without one.
 */
export function verificationToken({
  clientId,
  clientSecret,
}: Pick<ProviderConfiguration, 'clientId' | 'clientSecret'>): string | undefined {
  if (!clientSecret) return undefined;
  return createHmac('sha256', clientSecret).update(`webhook verification of ${clientId}`).digest('hex');
}
