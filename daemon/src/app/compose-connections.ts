import type { ProviderId } from '@healthd/model';
import type { Provider, ProviderConfiguration } from '@healthd/providers';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Sequelize } from 'sequelize';
import { deriveKey } from '../accounts/index.js';
import {
  allowedRedirect,
  type ConnectionParts,
  ConnectLinks,
  ConsentStates,
  Consents,
  connectionCleaning,
  createConnections,
  createRegistrations,
  logStartupWarnings,
  type RedirectRules,
  renewSubscribers,
  requireAllowedOpener,
  subscriberJob,
  subscriberSweeper,
} from '../connections/index.js';
import {
  type Binding,
  ConsentCookie,
  connectLinkRoutes,
  oauthRoutes,
  providerRoutes,
  providerTermsRoutes,
  type UserRef,
  webhookSubscriptionRoutes,
} from '../http/index.js';
import type { JobQueue } from '../platform/jobs/index.js';
import { cleaningJob } from '../retention/index.js';
import { createVault } from '../vault/index.js';
import type { Keys } from './keys.js';
import type { Settings } from './settings/settings.js';

/** Creates the connections, which depend on no other part of the service. */
export function composeConnections(options: {
  settings: Settings;
  keys: Keys;
  pool: pg.Pool;
  sequelize: Sequelize;
  providers: readonly Provider[];
  log: Logger;
}): ConnectionParts {
  const { settings, keys, pool, sequelize, providers, log } = options;
  return createConnections({
    pool,
    sequelize,
    log,
    providers,
    vault: createVault(keys.encryptionKeys),
    configurations: withDefaultSecret(settings.providers, keys.secretKey),
    defaultGranularity: settings.defaultDataGranularity,
  });
}

/** Result of {@link composeConsents}. */
export interface ComposedConsents {
  bindings: Binding[];
  /** Call once vendors can reach the service. Re-registers subscribers whose settings have changed. */
  renewSubscribers(): Promise<void>;
}

/** Creates consents, provider settings and their jobs. Call before the queue starts. */
export function composeConsents(options: {
  settings: Settings;
  keys: Keys;
  pool: pg.Pool;
  connections: ConnectionParts;
  queue: Pick<JobQueue, 'define' | 'sweep'>;
  providers: readonly Provider[];
  findUser(id: string): Promise<UserRef | undefined>;
  /** Called after an operator changed terms. */
  onTermsChanged(): Promise<unknown>;
  log: Logger;
}): ComposedConsents {
  const { settings, keys, pool, connections, queue, providers, findUser, onTermsChanged, log } = options;
  const states = new ConsentStates(pool, createVault(keys.encryptionKeys));
  const { uses, terms, termRows, configurationOf, budgets, quotaUseOf, givenSecrets: issuedSecrets } = connections;
  const rules: RedirectRules = {
    allowlist: settings.oauthRedirectAllowlist,
    apiBaseUrl: settings.apiBaseUrl,
    allowLoopback: settings.databaseUrl === undefined,
  };
  const links = new ConnectLinks({
    pool,
    apiBaseUrl: settings.apiBaseUrl,
    connectable: async () => {
      const configured = providers.filter(({ id }) => configurationOf(id) !== undefined);
      const settled = await Promise.all(configured.map(async ({ id }) => ({ id, ...(await uses.of(id)) })));
      return settled.filter(({ isEnabled }) => isEnabled).map(({ id }) => id);
    },
    requireAllowed({ redirect_uri: redirectUri, opener_origin: opener }) {
      if (opener) requireAllowedOpener(opener, rules);
      return redirectUri ? allowedRedirect(redirectUri, rules, 'body') : null;
    },
  });
  const consents = new Consents({ connections, states, links, log, rules });
  const registrationOf = createRegistrations({
    configurationOf,
    webhookAddress: (provider) => webhookAddress(settings, provider),
    digestKey: deriveKey(keys.signingKey, 'webhook-secret'),
  });
  const subscriptions = queue.define(
    subscriberJob({ uses, configurationOf, registrationOf, givenSecrets: issuedSecrets }),
  );
  const renew = () => renewSubscribers({ uses, configurationOf, registrationOf, subscriptions, log });
  queue.sweep(subscriberSweeper({ uses }));
  queue.define(cleaningJob(connectionCleaning({ states, links, budgets, renewSubscribers: renew })));
  logStartupWarnings({
    log,
    providers,
    isConfigured: (provider) => configurationOf(provider) !== undefined,
    defaultSecrets: providers.flatMap(({ id }) => (settings.providers[id]?.webhookSecret === undefined ? [id] : [])),
    historicalSyncOnConnect: settings.historicalSyncOnConnect,
    lookbackMs: settings.pullSyncLookbackMs,
    settingValueOf: (provider, setting) => configurationOf(provider)?.configuration.values[setting],
    webhookAddress: (provider) => webhookAddress(settings, provider),
  });
  const cookie = new ConsentCookie({ secure: settings.apiBaseUrl.startsWith('https:') });
  return {
    bindings: [
      ...oauthRoutes({ consents, findUser, cookie, bindsBrowser: settings.consentBinding === 'browser' }),
      ...connectLinkRoutes({
        consents,
        links,
        cookie,
        operator: { name: settings.connectPageName, color: settings.connectPageColor },
      }),
      ...providerRoutes({ uses, configurationOf, subscriptions, quotaUseOf }),
      ...providerTermsRoutes({ terms, termRows, onTermsChanged }),
      ...webhookSubscriptionRoutes({ connections }),
    ],
    renewSubscribers: () =>
      renew().catch((error: unknown) =>
        log.warn(
          { event: 'subscriber_check_failed', err: error },
          'Failed to look for outdated subscribers; retrying later',
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

/** Returns the URL of a provider's webhooks. */
export function webhookAddress({ apiBaseUrl }: Settings, provider: ProviderId): string {
  return `${apiBaseUrl}/api/v1/providers/${provider}/webhooks`;
}
