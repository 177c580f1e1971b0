import { PROVIDERS, providerById } from '@healthd/providers';
import type pg from 'pg';
import { type ConnectionParts, missingConsent } from '../connections/index.js';
import {
  type Binding,
  connectionRoutes,
  diagnosisRoutes,
  type Metrics,
  providerSyncRoutes,
  providerWebhookRoutes,
} from '../http/index.js';
import {
  type ConnectedServices,
  createPullMetrics,
  isNotified,
  isWebhookStale,
  nextPollAt,
  type PullJobServices,
  pullJob,
  pullRetrier,
  pullSweeper,
  schedulePullsJob,
  startReading,
} from '../ingest/pull/index.js';
import { notificationCleaning } from '../ingest/webhooks/index.js';
import type { JobQueue } from '../platform/jobs/index.js';
import { cleaningJob } from '../retention/index.js';
import type { RunRetrier, SyncRuns } from '../runs/index.js';
import type { RecordWriter } from '../store/write/index.js';
import type { Settings } from './settings/settings.js';

/**
 * Everything that reads from vendors' clouds: on schedule, on request, when a vendor reports changes. Before the queue
 * starts.
 */
export function composeSync(given: {
  settings: Settings;
  pool: pg.Pool;
  runs: SyncRuns;
  writer: RecordWriter;
  connections: ConnectionParts;
  queue: JobQueue;
  metrics: Metrics;
}): { bindings: Binding[]; retrier: RunRetrier } {
  const { settings, pool, runs, writer, connections, queue, metrics } = given;
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
    metrics: createPullMetrics(metrics.registry),
    now: () => new Date(),
    // One place stays free for what devices push.
    accountsAtOnce: Math.max(1, settings.jobConcurrency - 1),
  };
  const services: ConnectedServices = {
    ...jobServices,
    historicalSyncOnConnect: settings.historicalSyncOnConnect,
    pulls: queue.define(pullJob(jobServices)),
  };
  queue.sweep(pullSweeper(services));
  const pulled = PROVIDERS.filter(({ cloud }) => cloud?.pull !== undefined).map(({ id }) => id);
  queue.define(schedulePullsJob(services, pulled));
  queue.define(cleaningJob(notificationCleaning({ pool })));
  connections.onConnected((connection, establishment) => startReading(services, connection, establishment));
  return {
    bindings: [
      ...connectionRoutes({ connections, writer, nextPollAt: (connection) => nextPollAt(services, connection) }),
      ...diagnosisRoutes({
        pool,
        providers: PROVIDERS,
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
      ...providerSyncRoutes(services),
      ...providerWebhookRoutes(services),
    ],
    retrier: pullRetrier(services),
  };
}
