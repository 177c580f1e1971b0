import type { ProviderId } from '@healthd/model';
import { PROVIDERS, type ProviderConfiguration } from '@healthd/providers';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Sequelize } from 'sequelize';
import { deriveKey } from '../accounts/index.js';
import {
  type ConnectionParts,
  ConsentStates,
  Consents,
  connectionCleaning,
  createConnections,
  createRegistrations,
  logStartupWarnings,
  renewSubscribers,
  subscriberJob,
  subscriberSweeper,
} from '../connections/index.js';
import { type Binding, oauthRoutes, providerRoutes, type UserRef, webhookSubscriptionRoutes } from '../http/index.js';
import type { JobQueue } from '../platform/jobs/index.js';
import { cleaningJob } from '../retention/index.js';
import { createVault } from '../vault/index.js';
import type { Keys } from './keys.js';
import type { Settings } from './settings/settings.js';

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
    pool,
    sequelize,
    log,
    vault: createVault(keys.encryptionKeys),
    configurations: withDefaultSecret(settings.providers, keys.secretKey),
    defaultGranularity: settings.defaultDataGranularity,
  });
}

/** What {@link composeConsents} made. */
export interface ComposedConsents {
  bindings: Binding[];
  /** Once vendors can reach the service: registers subscribers again whose settings have changed. */
  renewSubscribers(): Promise<void>;
}

/** Consents, settings of providers and what runs by itself for them. Before the queue starts. */
export function composeConsents(given: {
  settings: Settings;
  keys: Keys;
  pool: pg.Pool;
  connections: ConnectionParts;
  queue: JobQueue;
  findUser(id: string): Promise<UserRef | undefined>;
  log: Logger;
}): ComposedConsents {
  const { settings, keys, pool, connections, queue, findUser, log } = given;
  const states = new ConsentStates(pool, createVault(keys.encryptionKeys));
  const consents = new Consents({
    connections,
    states,
    log,
    rules: {
      allowlist: settings.oauthRedirectAllowlist,
      apiBaseUrl: settings.apiBaseUrl,
      allowLoopback: settings.databaseUrl === undefined,
    },
  });
  const { uses, configurationOf, budgets } = connections;
  const registrationOf = createRegistrations({
    configurationOf,
    webhookAddress: (provider) => `${settings.apiBaseUrl}/api/v1/providers/${provider}/webhooks`,
    digestKey: deriveKey(keys.signingKey, 'webhook-secret'),
  });
  const subscriptions = queue.define(subscriberJob({ uses, configurationOf, registrationOf }));
  const renew = () => renewSubscribers({ uses, configurationOf, registrationOf, subscriptions, log });
  queue.sweep(subscriberSweeper({ uses }));
  queue.define(cleaningJob(connectionCleaning({ states, budgets, renewSubscribers: renew })));
  logStartupWarnings({
    log,
    providers: PROVIDERS,
    isConfigured: (provider) => configurationOf(provider) !== undefined,
    defaultSecrets: PROVIDERS.flatMap(({ id }) => (settings.providers[id]?.webhookSecret === undefined ? [id] : [])),
    historicalSyncOnConnect: settings.historicalSyncOnConnect,
    lookbackMs: settings.pullSyncLookbackMs,
  });
  return {
    bindings: [
      ...oauthRoutes({ consents, findUser }),
      ...providerRoutes({ uses, configurationOf, subscriptions }),
      ...webhookSubscriptionRoutes({ connections }),
    ],
    renewSubscribers: () =>
      renew().catch((error: unknown) =>
        log.warn(
          { event: 'subscriber_check_failed', err: error },
          'Failed to look for outdated subscribers; trying again later',
        ),
      ),
  };
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
