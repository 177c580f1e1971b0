import { createHmac } from 'node:crypto';
import type { ProviderConfiguration } from '../cloud/index.js';

/**
 * Returns the token that the vendor receives at registration and returns in its challenge. It is derived from the OAuth
 * client's secret, so every process can compute it and it reveals no other secret. Undefined without a secret.
 */
export function verificationToken({
  clientId,
  clientSecret,
}: Pick<ProviderConfiguration, 'clientId' | 'clientSecret'>): string | undefined {
  if (!clientSecret) return undefined;
  return createHmac('sha256', clientSecret).update(`webhook verification of ${clientId}`).digest('hex');
}
