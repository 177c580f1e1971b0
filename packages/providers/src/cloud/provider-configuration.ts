import type { VendorAddresses } from './vendor-api.js';

/** What the operator set for one provider. */
export interface ProviderConfiguration {
  clientId?: string;
  clientSecret?: string;
  /** Space-separated. */
  scope: string;
  addresses: VendorAddresses;
  webhookSecret?: string;
  /** Requests for one person's data a minute; the provider's own figure unless the vendor allows this application another. */
  requestsPerMinute?: number;
  /** Values of the provider's own settings by name; absent when unset. */
  values: Readonly<Record<string, string | undefined>>;
}
