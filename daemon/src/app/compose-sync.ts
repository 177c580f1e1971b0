import { MS_PER_SECOND, type ProviderId } from '@healthd/model';
import type { Provider } from '@healthd/providers';
import type pg from 'pg';
import { type ConnectionParts, idleTokensJob, missingConsent } from '../connections/index.js';
import { TroubleGroups, troubleHistoryJob } from '../diagnosis/index.js';
import {
  type Binding,
  connectionRoutes,
  diagnosisRoutes,
  type Metrics,
  providerBackfillRoutes,
  providerSyncRoutes,
  providerWebhookRoutes,
  troubleRoutes,
  WebhookRejections,
} from '../http/index.js';
import {
  type ExportServices,
  exportArrivals,
  exportJob,
  exportSweeper,
  startExports,
} from '../ingest/exports/index.js';
import {
  type ConnectedServices,
  createPullMetrics,
  isNotified,
  isWebhookStale,
  nextPollAt,
  notificationCleaning,
  type PullJobServices,
  pullJob,
  pullRetrier,
  pullSweeper,
  schedulePullsJob,
  startReading,
  watchQuotas,
} from '../ingest/pull/index.js';
import {
  type DeliveryEnqueuer,
  type DeliveryServices,
  deliveryCleaning,
  deliveryErasure,
  deliveryJob,
  deliveryRetrier,
  deliverySweeper,
  forgetVersions,
  type NotificationCounts,
  notificationCountCleaning,
  ReceivingPlaces,
  reviveUnmatched,
  SplitThread,
} from '../ingest/webhooks/index.js';
import type { JobQueue } from '../platform/jobs/index.js';
import type { Spool } from '../platform/spool/index.js';
import { cleaningJob } from '../retention/index.js';
import type { RunRetrier, SyncRuns } from '../runs/index.js';
import type { RecordWriter } from '../store/write/index.js';
import type { Overrides } from './overrides.js';
import type { Settings } from './settings/settings.js';

/**
 * Maximum number of deliveries that are received concurrently, and the maximum time of each. The vendor itself waits 30
 * seconds.
 */
const DELIVERIES_AT_ONCE = 32;
const DELIVERY_SECONDS = 300;

/**
 * Creates the syncs from vendors' clouds: on schedule, on request, and after notifications. Call before the queue
 * starts.
 */
export function composeSync(options: {
  settings: Settings;
  pool: pg.Pool;
  runs: SyncRuns;
  writer: RecordWriter;
  /** Spool of deliveries. */
  spool: Spool;
  connections: ConnectionParts;
  queue: Pick<JobQueue, 'define' | 'sweep'>;
  providers: readonly Provider[];
  metrics: Metrics;
  notificationCounts: NotificationCounts;
  overrides: Pick<Overrides, 'now'>;
}): {
  bindings: Binding[];
  retriers: { pull: RunRetrier; webhook: RunRetrier };
  services: ConnectedServices;
  exports: ExportServices;
  deliveries: DeliveryServices & { deliveryJobs: DeliveryEnqueuer };
} {
  const { settings, pool, runs, writer, spool, connections, queue, providers, metrics, notificationCounts, overrides } =
    options;
  const pullMetrics = createPullMetrics(metrics.registry);
  const providerById = (provider: ProviderId) => providers.find(({ id }) => id === provider);
  const jobServices: PullJobServices = {
    pool,
    runs,
    writer,
    connections,
    settings: {
      lookbackMs: settings.pullSyncLookbackMs,
      syncIntervalSeconds: settings.syncIntervalSeconds,
      webhookPollSeconds: settings.webhookPollIntervalSeconds,
      webhookSilenceSeconds: settings.webhookSilenceSeconds,
    },
    cloudOf: (provider) => providerById(provider)?.cloud,
    maxHistoricalDays: (provider) => providerById(provider)?.maxHistoricalDays,
    cacheDays: async (provider) => (await connections.terms.current()).cacheDays.get(provider),
    metrics: {
      ...pullMetrics,
      notified(provider, outcome) {
        pullMetrics.notified(provider, outcome);
        notificationCounts.note(provider, outcome);
      },
    },
    now: overrides.now ?? (() => new Date()),
    // One slot is reserved for device pushes.
    accountsAtOnce: Math.max(1, settings.jobConcurrency - 1),
  };
  const services: ConnectedServices = {
    ...jobServices,
    historicalSyncOnConnect: settings.historicalSyncOnConnect,
    pulls: queue.define(pullJob(jobServices)),
  };
  queue.sweep(pullSweeper(services));
  const pulled = providers.filter(({ cloud }) => cloud?.pull !== undefined).map(({ id }) => id);
  watchQuotas(metrics.registry, pulled, connections);
  queue.define(schedulePullsJob(services, pulled));
  queue.define(cleaningJob(notificationCleaning({ pool })));
  queue.define(idleTokensJob({ ...connections, pool }, providers));
  const exporters = providers.filter(({ cloud }) => cloud?.exports !== undefined).map(({ id }) => id);
  const exports: ExportServices = { ...services, exportJobs: queue.define(exportJob(services)) };
  queue.sweep(exportSweeper(services, exporters));
  const deliveryServices: DeliveryServices = {
    ...services,
    spool,
    exports: exportArrivals,
    requestHistory: (connection) =>
      startExports(exports, connection, { firstEver: false, accountChanged: false, revived: false }),
    places: new ReceivingPlaces(DELIVERIES_AT_ONCE, DELIVERY_SECONDS),
    splitting: new SplitThread(),
    maxWaitingBytes: settings.deliverySpoolMaxBytes,
    keepFailedDays: settings.failedUploadRetentionDays,
  };
  const deliveries = { ...deliveryServices, deliveryJobs: queue.define(deliveryJob(deliveryServices)) };
  queue.sweep(deliverySweeper(deliveryServices));
  queue.define(cleaningJob(deliveryCleaning(deliveryServices)));
  queue.define(cleaningJob(deliveryErasure(deliveryServices)));
  connections.onConnected((connection, establishment) => startReading(services, connection, establishment));
  connections.onConnected((connection, establishment) => startExports(exports, connection, establishment));
  connections.onConnected(async ({ id }, { accountChanged }) => {
    if (accountChanged) await forgetVersions(pool, id);
  });
  connections.onConnected(async ({ provider, providerUserId }) => {
    if (providerUserId !== undefined) await reviveUnmatched(pool, provider, providerUserId, services.now());
  });
  const trouble = new TroubleGroups({
    pool,
    providers: providers,
    isConfigured: (provider) => connections.configurationOf(provider) !== undefined,
    async settingOf(provider) {
      const use = await connections.settingOf(provider);
      return { isEnabled: use.isEnabled, isNotified: isNotified(use) };
    },
    missingDataTypes: (connection) =>
      missingConsent(connection, connections.configurationOf(connection.provider)).missing_data_types,
    webhookSilenceMs: settings.webhookSilenceSeconds * MS_PER_SECOND,
    now: services.now,
  });
  queue.define(troubleHistoryJob({ pool, all: () => trouble.all() }));
  queue.define(cleaningJob(notificationCountCleaning({ pool })));
  const pull = pullRetrier(services);
  return {
    bindings: [
      ...connectionRoutes({ pool, connections, writer, nextPollAt: (connection) => nextPollAt(services, connection) }),
      ...diagnosisRoutes({
        pool,
        providers,
        connectionsOf: (userKey) => connections.reader.ofUser(userKey),
        isConfigured: (provider) => connections.configurationOf(provider) !== undefined,
        isEnabled: async (provider) => (await connections.settingOf(provider)).isEnabled,
        missingDataTypes: (connection) =>
          missingConsent(connection, connections.configurationOf(connection.provider)).missing_data_types,
        isWebhookStale: async (connection) =>
          isNotified(await connections.settingOf(connection.provider)) && isWebhookStale(services, connection),
        nextPollAt: (connection) => nextPollAt(services, connection),
        now: services.now,
      }),
      ...troubleRoutes({ trouble }),
      ...providerSyncRoutes(services, exports),
      ...providerBackfillRoutes(exports),
      ...providerWebhookRoutes(services, deliveries, new WebhookRejections(settings.webhookRejectionsPerAddress)),
    ],
    retriers: { pull, webhook: deliveryRetrier(deliveries, pull) },
    services,
    exports,
    deliveries,
  };
}
