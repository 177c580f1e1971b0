import type { ProviderId } from '@healthd/model';
import type { CloudProvider, Granularity, ProviderConfiguration, VendorApi } from '@healthd/providers';
import type pg from 'pg';
import type { RequestPriority } from './requests/request-priority.js';
import type { AccountState, Connection, Establishment } from './store/connection.js';

/** Called after a consent was stored. Must return quickly. Its errors are logged and have no other effect. */
export type ConnectedListener = (connection: Connection, establishment: Establishment) => Promise<void>;

/** State of the service's registration for the vendor's notifications. */
export type SubscriberState = 'unmanaged' | 'registering' | 'active' | 'failed';

/** Settings of a provider, with defaults for unset values. */
export interface ProviderSetting {
  isEnabled: boolean;
  /** Undefined for a provider that is not polled and does not report changes. */
  liveSyncMode: 'pull' | 'webhook' | undefined;
  /** The provider's own setting, or DEFAULT_DATA_GRANULARITY. */
  granularity: Granularity;
  subscriberState: SubscriberState | undefined;
  /** URL that this service registered last; undefined before the first registration. */
  registeredEndpoint: string | undefined;
  /** Time of the vendor's first reported change in webhook mode. */
  firstNotifiedAt: Date | undefined;
  /** Time of the last change of these settings; undefined if no setting was ever changed. */
  changedAt: Date | undefined;
}

/** A vendor's cloud with configured credentials. */
export interface ConfiguredCloud {
  cloud: CloudProvider;
  configuration: ProviderConfiguration;
}

/** The methods of connections that syncing uses. */
export interface Connections {
  findConnection(userKey: number, provider: ProviderId): Promise<Connection | undefined>;
  findConnectionById(id: string): Promise<Connection | undefined>;
  /** Returns active connections whose vendor can be queried, oldest first. */
  activeConnections(filter?: { userKey?: number; provider?: ProviderId }): Promise<Connection[]>;
  /** Returns active connections of one vendor account, oldest first. Several users may share an account. */
  connectionsOfVendorAccount(provider: ProviderId, providerUserId: string): Promise<Connection[]>;
  /**
   * Returns the user's connection if its vendor can be queried now.
   * @throws Failure `not_found` (User not connected to …), `conflict` (the authorization ended)
   */
  requireConnection(userKey: number, provider: ProviderId): Promise<Connection>;
  /**
   * Returns the vendor's API for this connection, within the quotas. Fails with `unauthorized` (account_changed) if
   * another account was connected in the meantime.
   * @throws Error if the provider has no cloud or no credentials
   */
  vendorApiOf(connection: Connection, signal?: AbortSignal, priority?: RequestPriority): VendorApi;
  /**
   * Requests the connection's account from the vendor if it is unknown, and stores it with its state. Resets the
   * cursors if the account changed.
   * @throws VendorError
   */
  ensureIdentity(connection: Connection): Promise<Connection>;
  /** Stores the vendor account's time zone. A change re-dates data that arrived without an offset. */
  storeTimeZone(connection: Connection, zone: string): Promise<void>;
  /**
   * Stores the granted scope in the caller's transaction, which must hold the user's row. This method and the next two
   * change nothing if the connection now has a different account.
   */
  changeScope(client: pg.ClientBase, connection: Connection, scope: string): Promise<void>;
  /**
   * Ends a connection after the user ended the consent at the vendor.
   * @returns false if a new consent of the same account, or its account state, was stored after the connection was read
   */
  endDeregistered(connection: Connection): Promise<boolean>;
  markAccountState(connection: Connection, state: AccountState): Promise<void>;
  /** Records the end of a run that stored data. @param client the caller's transaction */
  markSynced(connectionId: string, at: Date, client?: pg.ClientBase): Promise<void>;
  markNotified(connectionIds: readonly string[], at: Date, client?: pg.ClientBase): Promise<void>;
  /**
   * Records the delivery of a chunk in the transaction that stores the chunk. An older pull response then cannot
   * overwrite the chunk.
   */
  markDelivered(client: pg.ClientBase, connectionId: string, at: Date): Promise<void>;
  markBackfillStarted(connectionId: string, at: Date, client?: pg.ClientBase): Promise<void>;
  settingOf(provider: ProviderId): Promise<ProviderSetting>;
  /** Records the vendor's first reported change. */
  markFirstNotified(provider: ProviderId): Promise<void>;
  /** Undefined if the provider has no cloud or no credentials. */
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
  /** Secrets that an inbound webhook may carry; empty if the provider has no webhook. */
  webhookSecretsOf(provider: ProviderId): Promise<readonly string[]>;
  /** Call before the service starts to listen. */
  onConnected(listener: ConnectedListener): void;
}
