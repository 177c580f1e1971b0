import type { VendorAddresses } from './vendor-api.js';

/** What the operator set for one provider. */
export interface ProviderConfiguration {
  clientId?: string;
  clientSecret?: string;
  /** Space-separated. */
  scope: string;
  addresses: VendorAddresses;
  webhookSecret?: string;
  /** Values of the provider's own settings by name; absent when unset. */
  values: Readonly<Record<string, string | undefined>>;
}
