import type { ProviderId } from '@healthd/model';
import { type Granularity, PROVIDERS, type Provider, type ProviderConfiguration } from '@healthd/providers';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Sequelize } from 'sequelize';
import { inTransaction } from '../platform/database/index.js';
import { Failure } from '../platform/failures.js';
import type { Vault } from '../vault/index.js';
import type { ConfiguredCloud, ConnectedListener, Connections } from './connections.js';
import { Deregistration } from './deregistration.js';
import { providerSettingModel } from './providers/provider-setting-model.js';
import { ProviderSettings } from './providers/provider-settings.js';
import { TermRows } from './providers/term-rows.js';
import { VendorTerms } from './providers/vendor-terms.js';
import { type QuotaUse, readQuotaUse } from './requests/quota-use.js';
import { RequestBudgets } from './requests/request-budget.js';
import { VendorApis } from './requests/vendor-apis.js';
import type { Connection, Establishment } from './store/connection.js';
import { ConnectionMarks } from './store/connection-marks.js';
import { ConnectionReader } from './store/connection-reader.js';
import { ConnectionWriter } from './store/connection-writer.js';
import { identify } from './store/identity.js';
import { storeAccountZone } from './store/time-zones.js';
import { connectionFault, pullBlockerText } from './store/unusable.js';
import { IssuedSecrets } from './subscribers/issued-secrets.js';
import { TokenStore } from './tokens/stored-tokens.js';
import { TokenRenewal } from './tokens/token-renewal.js';

export interface ConnectionsOptions {
  pool: pg.Pool;
  sequelize: Sequelize;
  vault: Vault;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Configuration of each provider with a cloud. */
  configurations: Readonly<Partial<Record<ProviderId, ProviderConfiguration>>>;
  defaultGranularity: Granularity;
  /** Default: all providers with an adapter. */
  providers?: readonly Provider[];
}

/** Connections, with the additional parts that consents, disconnecting and provider settings need. */
export interface ConnectionParts extends Connections {
  reader: ConnectionReader;
  writer: ConnectionWriter;
  uses: ProviderSettings;
  terms: VendorTerms;
  termRows: TermRows;
  deregistration: Deregistration;
  apis: VendorApis;
  renewal: TokenRenewal;
  budgets: RequestBudgets;
  givenSecrets: IssuedSecrets;
  /** Returns the use of the application's quota; undefined without a cloud or credentials. */
  quotaUseOf(provider: ProviderId): Promise<QuotaUse | undefined>;
  /** Notifies the listeners of a stored consent. */
  connected(connection: Connection, establishment: Establishment): Promise<void>;
}

/** Creates the services for connections on one database. */
export function createConnections(options: ConnectionsOptions): ConnectionParts {
  const { pool, sequelize, vault, log, configurations, providers = PROVIDERS } = options;
  const configurationOf = (provider: ProviderId): ConfiguredCloud | undefined => {
    const cloud = providers.find(({ id }) => id === provider)?.cloud;
    const configuration = configurations[provider];
    if (!cloud || !configuration?.clientId || !configuration.clientSecret) return undefined;
    const { pull } = cloud;
    if (!cloud.configuredQuotas && !cloud.configuredPull) return { cloud, configuration };
    const configured = {
      ...cloud,
      quotas: cloud.configuredQuotas?.(cloud.quotas, configuration) ?? cloud.quotas,
      pull: pull && (cloud.configuredPull?.(pull, configuration) ?? pull),
    };
    return { cloud: configured, configuration };
  };
  const cloudOf = (provider: ProviderId): ConfiguredCloud => {
    const configured = configurationOf(provider);
    if (!configured) throw new Error(`no credentials are set for the provider ${provider}`);
    return configured;
  };
  const tokens = new TokenStore(vault);
  const reader = new ConnectionReader(pool);
  const writer = new ConnectionWriter(pool, tokens);
  const marks = new ConnectionMarks(pool);
  const budgets = new RequestBudgets(pool);
  const deregistration = new Deregistration({ pool, tokens, reader, writer, configurationOf, log });
  const renewal = new TokenRenewal({ pool, tokens, writer, deregistration, cloudOf });
  const apis = new VendorApis({ budgets, renewal, cloudOf });
  const settings = providerSettingModel(sequelize);
  const uses = new ProviderSettings({
    settings,
    providers,
    defaultGranularity: options.defaultGranularity,
    configurationOf,
  });
  const terms = new VendorTerms({ settings, providers });
  const issuedSecrets = new IssuedSecrets(settings, vault);
  const listeners: ConnectedListener[] = [];

  return {
    reader,
    writer,
    uses,
    terms,
    termRows: new TermRows(pool),
    deregistration,
    apis,
    renewal,
    budgets,
    givenSecrets: issuedSecrets,
    async quotaUseOf(provider) {
      const configured = configurationOf(provider);
      return configured && readQuotaUse(pool, provider, configured.cloud.quotas);
    },
    configurationOf,
    findConnection: (userKey, provider) => reader.find(userKey, provider),
    findConnectionById: (id) => reader.findById(id),
    activeConnections: (filter) => reader.active(filter),
    connectionsOfVendorAccount: (provider, providerUserId) => reader.ofVendorAccount(provider, providerUserId),
    async requireConnection(userKey, provider) {
      return requireUsable(await reader.find(userKey, provider), provider);
    },
    vendorApiOf: (connection, signal, priority) => apis.of(connection, signal, priority),
    async ensureIdentity(connection) {
      if (connection.providerUserId !== undefined) return connection;
      const { identity, accountState, error } = await identify(
        cloudOf(connection.provider).cloud.oauth,
        apis.of(connection),
      );
      // Accepts a consent that does not include the account's identity. Its data is read, but the vendor's
      // notifications match no user.
      if (error?.code === 'scope_missing') return connection;
      if (error) throw error;
      if (identity) await writer.identify(connection.id, identity);
      else await marks.markAccountState(connection, accountState);
      return (await reader.findById(connection.id)) ?? connection;
    },
    async storeTimeZone(connection, zone) {
      if (zone !== connection.timeZone)
        await inTransaction(pool, (client) => storeAccountZone(client, connection, zone));
    },
    changeScope: (client, connection, scope) => writer.changeScope(client, connection, scope),
    endDeregistered: (connection) => writer.endDeregistered(connection),
    markAccountState: (connection, state) => marks.markAccountState(connection, state),
    markSynced: (id, at, client) => marks.mark('last_synced_at', [id], at, client),
    markNotified: (ids, at, client) => marks.mark('last_notified_at', ids, at, client),
    markDelivered: (client, id, at) => marks.markDelivered(client, id, at),
    markBackfillStarted: (id, at, client) => marks.mark('backfill_started_at', [id], at, client),
    settingOf: (provider) => uses.of(provider),
    markFirstNotified: (provider) => uses.markFirstNotified(provider),
    async webhookSecretsOf(provider) {
      const { clientSecret, webhookSecret } = configurations[provider] ?? {};
      const kind = configurationOf(provider)?.cloud.webhook?.secret;
      if (kind === 'given') return [(await issuedSecrets.of(provider))?.secret ?? []].flat();
      return [(kind === 'client' ? clientSecret : webhookSecret) ?? []].flat();
    },
    onConnected: (listener) => void listeners.push(listener),
    async connected(connection, establishment) {
      for (const listener of listeners) {
        try {
          await listener(connection, establishment);
        } catch (error) {
          log.error(
            { event: 'connection_follow_up_failed', err: error, connection_id: connection.id },
            'Failed to start the follow-up work of a new connection',
          );
        }
      }
    },
  };
}

/** @throws Failure `not_found`, `conflict` if another consent is needed */
function requireUsable(connection: Connection | undefined, provider: ProviderId): Connection {
  const fault = connectionFault(connection);
  if (!connection || fault) {
    const state = fault ?? 'not_connected';
    throw new Failure(state === 'not_connected' ? 'not_found' : 'conflict', pullBlockerText(state, provider));
  }
  return connection;
}
