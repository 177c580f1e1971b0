import type { ProviderId } from '@healthd/model';
import { PROVIDERS, type ProviderConfiguration } from '@healthd/providers';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Sequelize } from 'sequelize';
import {
  type ConnectionParts,
  ConsentStates,
  Consents,
  connectionUpkeepJob,
  createConnections,
  giveStartNotices,
  subscriberJob,
  subscriberSweeper,
} from './connections/index.js';
import {
  type Binding,
  connectionRoutes,
  type KnownUser,
  oauthRoutes,
  providerRoutes,
  webhookSubscriptionRoutes,
} from './http/index.js';
import type { JobQueue } from './jobs/index.js';
import type { Keys } from './keys.js';
import type { RecordWriter } from './records/index.js';
import type { Settings } from './settings.js';
import { createVault } from './vault/index.js';

/** Everything about connections, on its own: what else is built may ask it. */
export function composeConnections(given: {
  settings: Settings;
  keys: Keys;
  pool: pg.Pool;
  sequelize: Sequelize;
  log: Logger;
}): ConnectionParts {
  const { settings, keys, pool, sequelize, log } = given;
  return createConnections({
    ...{ pool, sequelize, log },
    vault: createVault(keys.encryptionKeys),
    configurations: withDefaultSecret(settings.providers, keys.secretKey),
    defaultGranularity: settings.defaultDataGranularity,
  });
}

/** Consents, settings of providers and what runs by itself for them. Before the queue starts. */
export function composeConsents(given: {
  settings: Settings;
  pool: pg.Pool;
  connections: ConnectionParts;
  writer: RecordWriter;
  queue: JobQueue;
  findUser(id: string): Promise<KnownUser | undefined>;
  log: Logger;
}): Binding[] {
  const { settings, pool, connections, writer, queue, findUser, log } = given;
  const states = new ConsentStates(pool);
  const consents = new Consents({
    ...{ connections, states, log },
    rules: {
      allowlist: settings.oauthRedirectAllowlist,
      apiBaseUrl: settings.apiBaseUrl,
      allowLoopback: settings.databaseUrl === undefined,
    },
  });
  const { uses, configurationOf, budgets } = connections;
  const webhookAddress = (provider: ProviderId) => `${settings.apiBaseUrl}/api/v1/providers/${provider}/webhooks`;
  queue.define(subscriberJob({ uses, configurationOf, webhookAddress }));
  queue.sweep(subscriberSweeper({ pool }));
  queue.define(connectionUpkeepJob({ states, budgets }));
  giveStartNotices({
    log,
    providers: PROVIDERS,
    isConfigured: (provider) => configurationOf(provider) !== undefined,
    defaultSecrets: PROVIDERS.flatMap(({ id }) => (settings.providers[id]?.webhookSecret === undefined ? [id] : [])),
    historicalSyncOnConnect: settings.historicalSyncOnConnect,
    lookbackMs: settings.pullSyncLookbackMs,
  });
  const enqueueSoon = queue.enqueueSoon.bind(queue);
  return [
    ...connectionRoutes({ connections, writer }),
    ...oauthRoutes({ consents, findUser }),
    ...providerRoutes({ uses, configurationOf, enqueueSoon }),
    ...webhookSubscriptionRoutes({ connections }),
  ];
}

function withDefaultSecret(
  providers: Settings['providers'],
  secretKey: string,
): Partial<Record<ProviderId, ProviderConfiguration>> {
  const entries = Object.entries(providers).map(([id, configuration]) => [
    id,
    { ...configuration, webhookSecret: configuration.webhookSecret ?? secretKey },
  ]);
  return Object.fromEntries(entries);
}
