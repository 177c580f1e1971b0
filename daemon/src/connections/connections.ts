import type { ProviderId } from '@healthd/model';
import type { CloudProvider, Granularity, ProviderConfiguration, VendorApi } from '@healthd/providers';
import type pg from 'pg';
import type { RequestPriority } from './requests/request-priority.js';
import type { AccountState, Connection, Establishment } from './store/connection.js';

/** Called after a consent was stored. It must return soon; what fails in it is logged and changes nothing. */
export type ConnectedListener = (connection: Connection, establishment: Establishment) => Promise<void>;

/** Whether the vendor notifies this service of changes. */
export type SubscriberState = 'unmanaged' | 'registering' | 'active' | 'failed';

/** How a provider is used; what no one set has its default. */
export interface ProviderSetting {
  isEnabled: boolean;
  /** Undefined for providers that are neither polled nor report changes. */
  liveSyncMode: 'pull' | 'webhook' | undefined;
  /** The provider's own, else DEFAULT_DATA_GRANULARITY. */
  granularity: Granularity;
  subscriberState: SubscriberState | undefined;
  /** The address that this service registered last; undefined while it registered none. */
  registeredEndpoint: string | undefined;
  /** When the vendor first reported a change in webhook mode. */
  firstNotifiedAt: Date | undefined;
  /** When anything of it changed last; undefined while no one set anything. */
  changedAt: Date | undefined;
}

/** A vendor's cloud that the operator gave credentials for. */
export interface ConfiguredCloud {
  cloud: CloudProvider;
  configuration: ProviderConfiguration;
}

/** Connections as syncing sees them. */
export interface Connections {
  findConnection(userKey: number, provider: ProviderId): Promise<Connection | undefined>;
  findConnectionById(id: string): Promise<Connection | undefined>;
  /** Active ones whose vendor can be asked, oldest first. */
  activeConnections(filter?: { userKey?: number; provider?: ProviderId }): Promise<Connection[]>;
  /** Active ones of one account of the vendor, oldest first: several users may have connected the same. */
  connectionsOfVendorAccount(provider: ProviderId, providerUserId: string): Promise<Connection[]>;
  /**
   * The connection whose vendor can be asked now.
   * @throws Failure `not_found` (User not connected to …), `conflict` (the authorization ended)
   */
  requireConnection(userKey: number, provider: ProviderId): Promise<Connection>;
  /**
   * The vendor's API as this connection may use it, within the quotas. It stops with `unauthorized` (account_changed) when
   * another account was connected meanwhile.
   * @throws Error when the provider has no cloud or no credentials
   */
  vendorApiOf(connection: Connection, signal?: AbortSignal, priority?: RequestPriority): VendorApi;
  /**
   * Asks the vendor whose account it is where that is not known yet, and stores it and the state of the account.
   * Resets the cursors when it is another account than the one before.
   * @throws VendorError
   */
  ensureIdentity(connection: Connection): Promise<Connection>;
  /** Stores the zone of the vendor's account; a zone other than before moves what came without an offset. */
  storeTimeZone(connection: Connection, zone: string): Promise<void>;
  /**
   * Stores what the person grants from now on, in the caller's transaction, which must hold the user's row. This and the next
   * two change nothing where the connection has another account since.
   */
  changeScope(client: pg.ClientBase, connection: Connection, scope: string): Promise<void>;
  /**
   * Ends a connection whose consent the person ended at the vendor.
   * @returns false where the account was consented to again, or its state noted, since the connection was read
   */
  endDeregistered(connection: Connection): Promise<boolean>;
  markAccountState(connection: Connection, state: AccountState): Promise<void>;
  /** When a run that brought data ended. @param client the caller's transaction */
  markSynced(connectionId: string, at: Date, client?: pg.ClientBase): Promise<void>;
  markNotified(connectionIds: readonly string[], at: Date, client?: pg.ClientBase): Promise<void>;
  /**
   * Notes that a portion of a delivery is stored, in the transaction that stores it: what a pull read before is not stored
   * over it.
   */
  markDelivered(client: pg.ClientBase, connectionId: string, at: Date): Promise<void>;
  markBackfillStarted(connectionId: string, at: Date, client?: pg.ClientBase): Promise<void>;
  settingOf(provider: ProviderId): Promise<ProviderSetting>;
  /** Notes that the vendor reported a change; the first time counts. */
  markFirstNotified(provider: ProviderId): Promise<void>;
  /** Undefined when the provider has no cloud or the operator gave no credentials. */
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
  /** Secrets that an inbound webhook may carry; none when the provider has no webhook. */
  webhookSecretsOf(provider: ProviderId): Promise<readonly string[]>;
  /** Before the service starts to listen. */
  onConnected(listener: ConnectedListener): void;
}
