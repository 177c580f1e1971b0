import type { VendorAddresses } from './vendor-api.js';

/** The operator's settings for one provider. */
export interface ProviderConfiguration {
  clientId?: string;
  clientSecret?: string;
  /** Scopes to request, separated by spaces. */
  scope: string;
  addresses: VendorAddresses;
  webhookSecret?: string;
  /**
   * Requests per user and minute; the provider's default unless the vendor allows this application a different rate.
   */
  requestsPerMinute?: number;
  /** Values of the provider's own settings by name; absent if unset. */
  values: Readonly<Record<string, string | undefined>>;
}
