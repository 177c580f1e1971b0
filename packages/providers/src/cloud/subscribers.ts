import type { ProviderConfiguration } from './provider-configuration.js';

/** A subscription of this application's at the vendor. */
export interface Subscriber {
  id: string;
  endpoint: string;
  dataTypes: readonly string[];
  /** The vendor's own state, e.g. `ACTIVE`. */
  state?: string;
  /** When it ends unless it is renewed, in milliseconds since 1970; undefined where it lasts. */
  endsAtMs?: number;
  /** As the vendor sent it, for the list that developers see; without secrets. */
  raw: Readonly<Record<string, unknown>>;
}

/** What distinguishes one registration from another. The secret belongs to it too, but is not shown. */
export interface SubscriberRegistration {
  /** Address of the subscriber at the vendor: whose API, which project, which id. */
  name: string;
  /** Where the vendor sends its webhooks. */
  endpoint: string;
  dataTypes: readonly string[];
}

/** `updated` includes that its end was put off; `skipped` that nothing had to be done. */
export type SubscriberOutcome = {
  id: string;
  status: 'created' | 'updated' | 'deleted' | 'skipped';
  /** What proves the webhooks from now on, where the vendor gives it, and gives it this once only. */
  secret?: string;
};

export interface EnsureOptions {
  /**
   * The other address whose subscription it may take the place of, or `any`, where the vendor has room for one alone;
   * without it that is a `conflict`.
   */
  replaces?: string | undefined;
  /**
   * The id of the subscription whose given secret is stored. One that is registered and whose secret is not is made again,
   * where the vendor gives secrets.
   */
  secretOf?: string | undefined;
}

/** Manages who is notified of changes, with the operator's own credentials at the vendor. */
export interface SubscriberAdapter {
  /** Whether the operator gave what is needed, e.g. a project number. */
  manageable(configuration: ProviderConfiguration): boolean;
  /** @throws VendorError, as below */
  list(configuration: ProviderConfiguration): Promise<readonly Subscriber[]>;
  /** What `ensure` would register; settings that cannot be used are reported by `ensure`. */
  registration(configuration: ProviderConfiguration, endpoint: string): SubscriberRegistration;
  /**
   * Brings what is registered to this endpoint, secret and list of types: creates what is missing, changes what differs, and
   * renews what would end soon. There may be one for each kind of change, or one for everything.
   */
  ensure(
    configuration: ProviderConfiguration,
    endpoint: string,
    options?: EnsureOptions,
  ): Promise<readonly SubscriberOutcome[]>;
  /**
   * Puts off the end of all that are registered, where they end by themselves; what has ended is created again by `ensure`,
   * which runs every hour for such a vendor.
   */
  renew?(configuration: ProviderConfiguration): Promise<readonly SubscriberOutcome[]>;
  update(configuration: ProviderConfiguration, id: string, endpoint: string): Promise<SubscriberOutcome>;
  /** One that does not exist counts as deleted. */
  remove(configuration: ProviderConfiguration, id: string): Promise<SubscriberOutcome>;
  /** Takes off what `ensure` registered. */
  removeOwn(configuration: ProviderConfiguration, endpoint: string): Promise<readonly SubscriberOutcome[]>;
}
