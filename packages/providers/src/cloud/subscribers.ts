import type { ProviderConfiguration } from './provider-configuration.js';

/** A subscription of this application's at the vendor. */
export interface Subscriber {
  id: string;
  endpoint: string;
  dataTypes: readonly string[];
  /** The vendor's own state, e.g. `ACTIVE`. */
  state?: string;
  /** As the vendor sent it, for the list that developers see; without secrets. */
  raw: Readonly<Record<string, unknown>>;
}

/** What tells one registration from another. The secret belongs to it too, but is told to nobody. */
export interface SubscriberRegistration {
  /** Address of the subscriber at the vendor: whose API, which project, which id. */
  name: string;
  /** Where the vendor sends its webhooks. */
  endpoint: string;
  dataTypes: readonly string[];
}

export type SubscriberOutcome = { id: string; status: 'created' | 'updated' | 'deleted' | 'skipped' };

/** Manages who is notified of changes, with the operator's own credentials at the vendor. */
export interface SubscriberAdapter {
  /** Whether the operator gave what is needed, e.g. a project number. */
  manageable(configuration: ProviderConfiguration): boolean;
  /** @throws VendorError, as below */
  list(configuration: ProviderConfiguration): Promise<readonly Subscriber[]>;
  /** What `ensure` would register; settings that cannot be used are told by `ensure`. */
  registration(configuration: ProviderConfiguration, endpoint: string): SubscriberRegistration;
  /** Creates the subscriber, or brings the one of that id to this endpoint, secret and list of types. */
  ensure(configuration: ProviderConfiguration, endpoint: string): Promise<SubscriberOutcome>;
  update(configuration: ProviderConfiguration, id: string, endpoint: string): Promise<SubscriberOutcome>;
  /** One that does not exist counts as deleted. */
  remove(configuration: ProviderConfiguration, id: string): Promise<SubscriberOutcome>;
  /** The id that `ensure` uses. */
  ownId(configuration: ProviderConfiguration): string;
}
