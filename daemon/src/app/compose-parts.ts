import { SECONDS_PER_DAY } from '@healthd/model';
import { PROVIDERS } from '@healthd/providers';
import { authorizeProvider } from '@healthd/schemas';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Sequelize } from 'sequelize';
import { type Accounts, credentialCleaning, deriveKey } from '../accounts/index.js';
import { auditCleaning } from '../audit/index.js';
import type { ConnectionParts } from '../connections/index.js';
import {
  Feed,
  feedCleaning,
  readFeedLag,
  setFeed,
  setSelectionSettings,
  storeEvent,
  watchFeed,
} from '../feed/index.js';
import {
  accountRoutes,
  archivalRoutes,
  auditRoutes,
  changeRoutes,
  type Binding,
  consoleSessionRoutes,
  createGate,
  createMetrics,
  eventDeletionRoutes,
  type Gate,
  importRoutes,
  type Metrics,
  operationsRoutes,
  priorityRoutes,
  readingRoutes,
  runRetryRoutes,
  syncRoutes,
  userRoutes,
} from '../http/index.js';
import type { ExportServices } from '../ingest/exports/index.js';
import { UploadAddresses } from '../ingest/files/index.js';
import type { ConnectedServices } from '../ingest/pull/index.js';
import {
  type DeliveryServices,
  eraseDelivered,
  listUnprovenDeliveries,
  NotificationCounts,
} from '../ingest/webhooks/index.js';
import { createPool, createSequelize, DatabaseChannels, type OpenDatabase } from '../platform/database/index.js';
import { createJobQueue, type JobQueue } from '../platform/jobs/index.js';
import { openSpool } from '../platform/spool/index.js';
import { PriorityStore } from '../priorities/index.js';
import { AllUserCounts } from '../query/index.js';
import { repairJob, repairProgress, repairSweeper } from '../repairs/index.js';
import { archivalJob, archivalSweeper, cleaningJob, termsJob, termsSweeper } from '../retention/index.js';
import {
  createSyncNotifier,
  createSyncRuns,
  DEFAULT_SYNC_RETENTION,
  retriersOf,
  runCleaning,
  type SyncRuns,
} from '../runs/index.js';
import type { RecordWriter } from '../store/write/index.js';
import { Users } from '../users/index.js';
import { createVault } from '../vault/index.js';
import { composeAccounts } from './compose-accounts.js';
import { composeConnections, composeConsents, webhookAddress } from './compose-connections.js';
import { composeErasures } from './compose-erasures.js';
import { composeImports, type ImportParts } from './compose-imports.js';
import { composePush, type PushParts } from './compose-push.js';
import { composeSync } from './compose-sync.js';
import { poolSize, requireConnections } from './database-connections.js';
import { writtenFolders } from './disk-space.js';
import type { Disposers } from './disposers.js';
import { eraseUserData } from './erase-user-data.js';
import { requireEncryptionKey } from './key-check.js';
import type { Keys } from './keys.js';
import { withTryEnqueue, type Overrides } from './overrides.js';
import { composeRecordWriter } from './record-writer.js';
import type { Role } from './role.js';
import { connectableProviders } from './settings/provider-settings.js';
import type { Settings } from './settings/settings.js';
import { systemStatus } from './system-status.js';
import { within } from './within.js';

export interface ComposeOptions {
  settings: Settings;
  keys: Keys;
  database: OpenDatabase;
  role: Role;
  log: Logger;
  overrides?: Overrides;
}

export interface Parts {
  pool: pg.Pool;
  sequelize: Sequelize;
  /** Change notifications of the database, on one connection. */
  channels: DatabaseChannels;
  feed: Feed;
  accounts: Accounts;
  users: Users;
  gate: Gate;
  priorities: PriorityStore;
  writer: RecordWriter;
  runs: SyncRuns;
  connections: ConnectionParts;
  metrics: Metrics;
  notificationCounts: NotificationCounts;
  queue: JobQueue;
  imports: ImportParts;
  push: PushParts;
  pulls: ConnectedServices;
  exports: ExportServices;
  deliveries: DeliveryServices;
  bindings: readonly Binding[];
  /** Call once vendors can reach the service. Re-registers subscribers whose settings have changed. */
  renewSubscribers(): Promise<void>;
}

/** Maximum time that an erasure waits for the cleanup of delivery files. The cleaning job does the remaining work. */
const ERASURE_SECONDS = 10;
/** Maximum time to close connections that still run a statement. The end of the process closes them anyway. */
const CLOSE_SECONDS = 1;

/**
 * Creates and connects all parts on a migrated database; no part creates another part. Does not yet run jobs or serve
 * requests.
 */
export async function composeParts(options: ComposeOptions, started: Disposers): Promise<Parts> {
  const { settings, keys, database, role, log, overrides = {} } = options;
  const { url } = database;
  const onIdleError = (error: Error) => {
    if (!started.isDisposing) log.warn({ event: 'database_connection_lost', err: error }, 'Lost a database connection');
  };
  const pool = createPool({ url, max: poolSize(settings.jobConcurrency), onIdleError });
  const sequelize = createSequelize({ url });
  started.add(() => within(CLOSE_SECONDS, Promise.all([sequelize.close(), pool.end()])));
  if (role !== 'api') await requireConnections(pool, settings.jobConcurrency);
  const channels = new DatabaseChannels({
    url,
    onInterrupted: (err, retryInMs) =>
      log.warn(
        { event: 'database_channels_interrupted', err, retryInMs },
        'Lost the connection that listens for changes; reconnecting',
      ),
  });
  started.add(() => within(CLOSE_SECONDS, channels.close()));
  await requireEncryptionKey(pool, keys.encryptionKeys);
  // Workers do not switch the feed. A worker with a different setting would otherwise cause a new epoch at each start.
  if (role !== 'worker') {
    await setFeed(pool, settings.feed === 'on', () =>
      log.warn({ event: 'feed_switch_waiting' }, 'Waiting for open transactions before the feed is turned on or off'),
    );
    await setSelectionSettings(pool, { activityMerge: settings.activityMerge });
  }
  const feed = new Feed({
    pool,
    channels,
    vault: createVault(keys.encryptionKeys),
    isOn: settings.feed === 'on',
    onError: (error) => {
      if (!started.isDisposing) log.warn({ event: 'feed_delayed', err: error }, 'Failed to update the feed of changes');
    },
    onOtherSetting: (isOn) => {
      // Workers follow the setting of the processes that serve the API.
      if (role === 'worker') return;
      log.error(
        { event: 'feed_setting_differs', feed: isOn ? 'on' : 'off' },
        'Detected another process with a different FEED, whose start invalidated all cursors; set the same FEED everywhere',
      );
    },
  });
  started.add(() => within(CLOSE_SECONDS, feed.stop()));
  const accounts = composeAccounts({ settings, keys, pool, sequelize, overrides });
  const priorities = new PriorityStore(pool, (client) =>
    storeEvent(client, { kind: 'selection', body: { action: 'changed', cause: 'priorities' } }),
  );
  const writer = composeRecordWriter(pool, settings, overrides.decide);
  started.add(() => writer.close());
  const runs = createSyncRuns(
    pool,
    createSyncNotifier(pool, (error) => {
      if (!started.isDisposing)
        log.warn({ event: 'sync_event_not_published', err: error }, 'Failed to notify listeners of a sync event');
    }),
  );
  const providers = overrides.providers ?? PROVIDERS;
  const connections = composeConnections({ settings, keys, pool, sequelize, providers, log });
  const metrics = createMetrics();
  watchFeed(metrics.registry, pool);
  const queue = createJobQueue({
    mongodbUri: settings.mongodbUri,
    pool,
    connectionString: url,
    channels,
    concurrency: settings.jobConcurrency,
    role,
    log,
    onRun: metrics.observeJob,
    timing: overrides.jobTiming,
  });
  const jobs = overrides.tryEnqueue ? withTryEnqueue(queue, overrides.tryEnqueue) : queue;
  const imports = await composeImports({ settings, pool, runs, writer, queue: jobs, overrides });
  const { spool } = imports;
  const erasures = await composeErasures({ settings, pool, spool, log });
  started.add(() => erasures.stop());
  const users = new Users({
    pool,
    ledger: erasures.ledger,
    eraseUserData,
    removeSpoolFiles: async (names) => void (await Promise.all(names.map((name) => spool.remove(name)))),
    eraseDelivered: () => {
      const erasing = eraseDelivered(sync.deliveries).catch((error: unknown) =>
        log.error(
          { event: 'deliveries_not_erased', err: error },
          'Failed to remove an erased user from vendor deliveries; the cleanup job will retry',
        ),
      );
      return within(ERASURE_SECONDS, erasing);
    },
    onUserErased: [({ userKey }, signal, onEnd) => connections.deregistration.disconnectAll(userKey, signal, onEnd)],
    onUserErasedFailure: (error, userId) =>
      log.warn(
        { event: 'deregistration_failed', err: error, user_id: userId },
        'Failed to deregister an erased user at vendors',
      ),
  });
  const findUser = (id: string) => users.find(id);

  const push = composePush({ settings, pool, channels, runs, writer, queue: jobs, log, overrides });
  started.add(() => push.closeReader());
  const termServices = { pool, terms: connections.terms, writer };
  const termsJobs = jobs.define(termsJob(termServices));
  jobs.sweep(termsSweeper(termServices));
  const consents = composeConsents({
    settings,
    keys,
    pool,
    connections,
    queue: jobs,
    providers,
    findUser,
    onTermsChanged: () => termsJobs.tryEnqueue({}),
    log,
  });
  const notificationCounts = new NotificationCounts(pool, (error) =>
    log.warn({ event: 'notification_counts_not_written', err: error }, 'Failed to store notification counts'),
  );
  started.add(() => notificationCounts.stop());
  const sync = composeSync({
    settings,
    pool,
    runs,
    writer,
    spool: await openSpool(settings.spoolDir, 'delivery'),
    connections,
    queue: jobs,
    providers,
    metrics,
    notificationCounts,
    overrides,
  });
  const retriers = retriersOf({ ...sync.retriers, importFile: imports.retrier, deviceBatch: push.retrier });
  jobs.define(
    cleaningJob(
      runCleaning({ pool, retention: { ...DEFAULT_SYNC_RETENTION, runDays: settings.syncRunRetentionDays } }),
    ),
  );
  const neverArchived = async () => (await connections.terms.current()).neverArchived;
  jobs.define(archivalJob({ pool, priorities, neverArchived }));
  jobs.sweep(archivalSweeper({ pool }));
  jobs.define(repairJob({ pool, writer }));
  jobs.sweep(repairSweeper({ pool }));
  jobs.define(cleaningJob(auditCleaning({ pool, days: settings.auditRetentionDays })));
  jobs.define(cleaningJob(credentialCleaning({ accounts })));
  jobs.define(
    cleaningJob(feedCleaning({ pool, days: settings.feedRetentionDays, erasureDays: settings.feedTombstoneDays })),
  );

  const gate = createGate({
    accounts,
    findUser,
    serviceName: settings.serviceName,
    publicRoutes: settings.publicAuthorize ? [authorizeProvider.id] : [],
  });
  const { authenticate = gate.authenticate } = overrides;
  const counts = new AllUserCounts(pool);
  const bindings: Binding[] = [
    ...accountRoutes({ accounts, onDeviceAuthorized: (userId) => connections.writer.reauthorizeDevice(userId) }),
    ...consoleSessionRoutes({
      accounts,
      cookie: {
        secure: settings.apiBaseUrl.startsWith('https:'),
        maxAgeSeconds: settings.refreshTokenIdleDays * SECONDS_PER_DAY,
      },
    }),
    ...userRoutes({ users, terms: connections.terms }),
    ...consents.bindings,
    ...sync.bindings,
    ...runRetryRoutes({ pool, runs, retriers }),
    ...auditRoutes({ pool }),
    ...changeRoutes({ pool, feed, terms: connections.terms, findUser }),
    ...importRoutes({
      ...imports,
      pool,
      runs,
      findUser,
      addresses: new UploadAddresses(deriveKey(keys.signingKey, 'upload-address'), settings.apiBaseUrl),
    }),
    ...syncRoutes({ pool }),
    ...push.bindings,
    ...eventDeletionRoutes({ writer }),
    ...priorityRoutes({
      pool,
      priorities,
      terms: connections.terms,
      counts,
      activityMerge: settings.activityMerge,
    }),
    ...archivalRoutes({ pool, neverArchived }),
    ...readingRoutes({
      terms: connections.terms,
      countsFirstPageOnly: settings.errorFormat === 'compat',
      pool,
      priorities,
      counts,
      coverage: providers.map(({ id, coverage }) => ({ provider: id, ...coverage })),
      activityMerge: settings.activityMerge,
    }),
    ...operationsRoutes({
      apiKeyHeader: gate.apiKeyHeader,
      pullSyncLookbackMs: settings.pullSyncLookbackMs,
      sandboxProviders: settings.sandbox ? connectableProviders(settings.providers) : undefined,
      readStatus: systemStatus({
        pool,
        queue,
        folders: writtenFolders(settings, database),
        encryptionKeys: keys.encryptionKeys,
        feedLag: () => readFeedLag(pool),
        isFeedOn: settings.feed === 'on',
        repairs: () => repairProgress(pool),
        unprovenDeliveries: () =>
          listUnprovenDeliveries({
            pool,
            providers,
            configurationOf: (provider) => connections.configurationOf(provider),
            webhookAddress: (provider) => webhookAddress(settings, provider),
          }),
      }),
    }),
    ...(overrides.bindings ?? []),
  ];
  return {
    pool,
    sequelize,
    channels,
    feed,
    accounts,
    users,
    gate: { ...gate, authenticate },
    priorities,
    writer,
    runs,
    connections,
    metrics,
    notificationCounts,
    queue,
    imports,
    push,
    pulls: sync.services,
    exports: sync.exports,
    deliveries: sync.deliveries,
    bindings,
    renewSubscribers: consents.renewSubscribers,
  };
}
