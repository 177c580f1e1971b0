import type { ProviderConfiguration } from './provider-configuration.js';

/** This application's subscription at the vendor. */
export interface Subscriber {
  id: string;
  endpoint: string;
  dataTypes: readonly string[];
  /** The vendor's own state, e.g. `ACTIVE`. */
  state?: string;
  /** Expiry unless renewed, in milliseconds since 1970; undefined if it does not expire. */
  endsAtMs?: number;
  /** The subscription in the vendor's format, without secrets, for the list that developers see. */
  raw: Readonly<Record<string, unknown>>;
}

/** Members that identify a registration. Its secret also identifies it, but is never shown. */
export interface SubscriberRegistration {
  /** URL of the subscriber at the vendor: API, project and id. */
  name: string;
  /** URL that the vendor sends webhooks to. */
  endpoint: string;
  dataTypes: readonly string[];
}

/** `updated` includes a renewal; `skipped` means that no change was needed. */
export type SubscriberOutcome = {
  id: string;
  status: 'created' | 'updated' | 'deleted' | 'skipped';
  /** New webhook secret, if the vendor issues one. The vendor returns it only once. */
  secret?: string;
};

export interface EnsureOptions {
  /**
   * URL of another subscription that may be replaced, or `any`, if the vendor allows only one subscription. Other
   * existing subscriptions cause a `conflict`.
   */
  replaces?: string | undefined;
  /**
   * Id of the subscription whose vendor-issued secret is stored. A registered subscription without a stored secret is
   * created again.
   */
  secretOf?: string | undefined;
}

/** Manages webhook subscriptions with the operator's credentials at the vendor. */
export interface SubscriberAdapter {
  /** True if the operator configured the required settings, e.g. a project number. */
  manageable(configuration: ProviderConfiguration): boolean;
  /** @throws VendorError, like the methods below */
  list(configuration: ProviderConfiguration): Promise<readonly Subscriber[]>;
  /** Returns the registration that `ensure` would create. `ensure` reports invalid settings. */
  registration(configuration: ProviderConfiguration, endpoint: string): SubscriberRegistration;
  /**
   * Synchronizes the registration with this endpoint, secret and list of types. Creates missing subscriptions, updates
   * different subscriptions, and renews subscriptions that expire soon. The vendor may have one subscription per type
   * of change, or a single subscription for all types.
   */
  ensure(
    configuration: ProviderConfiguration,
    endpoint: string,
    options?: EnsureOptions,
  ): Promise<readonly SubscriberOutcome[]>;
  /**
   * Renews all subscriptions; undefined if they do not expire. `ensure` runs every hour if this method exists, and
   * recreates expired subscriptions.
   */
  renew?(configuration: ProviderConfiguration): Promise<readonly SubscriberOutcome[]>;
  update(configuration: ProviderConfiguration, id: string, endpoint: string): Promise<SubscriberOutcome>;
  /** A missing subscription counts as deleted. */
  remove(configuration: ProviderConfiguration, id: string): Promise<SubscriberOutcome>;
  /** Deletes the subscriptions that `ensure` created. */
  removeOwn(configuration: ProviderConfiguration, endpoint: string): Promise<readonly SubscriberOutcome[]>;
}
