import { SECONDS_PER_DAY } from '@healthd/model';
import { PROVIDERS } from '@healthd/providers';
import type { Logger } from 'pino';
import { credentialCleaning, deriveKey, ensureFirstAccount, type FirstAccount } from '../accounts/index.js';
import { auditCleaning } from '../audit/index.js';
import {
  accountRoutes,
  archivalRoutes,
  auditRoutes,
  type Binding,
  consoleSessionRoutes,
  createGate,
  createMetrics,
  eventDeletionRoutes,
  importRoutes,
  operationsRoutes,
  priorityRoutes,
  readingRoutes,
  runRetryRoutes,
  syncRoutes,
  userRoutes,
} from '../http/index.js';
import {
  type ImportSettings,
  importJob,
  importRetrier,
  importSweeper,
  openSpool,
  spoolCleaning,
  UploadAddresses,
} from '../ingest/files/index.js';
import { createPool, createSequelize, migrate, type OpenDatabase } from '../platform/database/index.js';
import { createJobQueue } from '../platform/jobs/index.js';
import { watchPriorities } from '../priorities/index.js';
import { repairJob, repairSweeper } from '../repairs/index.js';
import { archivalJob, archivalSweeper, cleaningJob } from '../retention/index.js';
import { createSyncNotifier, createSyncRuns, DEFAULT_SYNC_RETENTION, retriersOf, runCleaning } from '../runs/index.js';
import { createRecordWriter } from '../store/write/index.js';
import { Users } from '../users/index.js';
import { composeAccounts } from './compose-accounts.js';
import { composeConnections, composeConsents } from './compose-connections.js';
import { composeErasures } from './compose-erasures.js';
import { composePush } from './compose-push.js';
import { composeSync } from './compose-sync.js';
import { watchDiskRoom } from './disk-room.js';
import { Disposers } from './disposers.js';
import { requireEncryptionKey } from './key-check.js';
import type { Keys } from './keys.js';
import { listen, requireFreePorts } from './listen.js';
import type { Role } from './role.js';
import type { Settings } from './settings/settings.js';

export interface ComposeOptions {
  settings: Settings;
  keys: Keys;
  database: OpenDatabase;
  role: Role;
  log: Logger;
}

/** The running service. */
export interface Service {
  /** Port of API and console, also when PORT was 0. */
  port: number;
  /** Undefined where metrics are turned off. */
  metricsPort: number | undefined;
  apiKeyHeader: string;
  /** Set when this start made the first account, which is to be shown. */
  firstAccount: FirstAccount | undefined;
  /** Whether an API key opens this service. */
  ownsApiKey(key: string): Promise<boolean>;
  /** Stops taking requests and jobs, lets those in progress end, closes connections; the database stays. */
  stop(): Promise<void>;
}

const POOL_SIZE = 20;
/**
 * Requests and jobs in progress may end by themselves for so long, side by side. With what follows (jobs that are asked
 * to stop, connections, the embedded database) a stop takes less than the 10 s that containers are given.
 */
const DRAIN_SECONDS = 4;
/** A connection whose statement goes on is not waited for: the end of the process ends it. */
const CLOSE_SECONDS = 1;

/** Builds all parts and joins them; no part builds another. What had started is stopped again when the start fails. */
export async function compose(options: ComposeOptions): Promise<Service> {
  const started = new Disposers();
  try {
    return await build(options, started);
  } catch (error) {
    await started
      .dispose()
      .catch((cause: unknown) =>
        options.log.warn({ event: 'start_not_undone', err: cause }, 'Failed to stop all that a failed start had begun'),
      );
    throw error;
  }
}

/** In the order: ports, schema, accounts, jobs, listen. */
async function build({ settings, keys, database, role, log }: ComposeOptions, started: Disposers): Promise<Service> {
  const { url } = database;
  await requireFreePorts(settings);
  const migrated = await migrate(url);
  if (migrated.length > 0) log.info({ event: 'schema_migrated', migrations: migrated }, 'Migrated the database schema');

  const onIdleError = (error: Error) => {
    if (!started.isDisposing) log.warn({ event: 'database_connection_lost', err: error }, 'Lost a database connection');
  };
  const pool = createPool({ url, max: POOL_SIZE, onIdleError });
  const sequelize = createSequelize({ url });
  started.add(() => within(CLOSE_SECONDS, Promise.all([sequelize.close(), pool.end()])));
  await requireEncryptionKey(pool, keys.encryptionKeys);
  const accounts = composeAccounts({ settings, keys, pool, sequelize });
  const firstAccount = await ensureFirstAccount(accounts, settings);
  started.add(() => within(CLOSE_SECONDS, firstAccount?.release()));

  const spool = await openSpool(settings.spoolDir);
  const writer = createRecordWriter(pool, { sleepEndGapMinutes: settings.sleepEndGapMinutes });
  const runs = createSyncRuns(
    pool,
    createSyncNotifier(pool, (error) => {
      if (!started.isDisposing)
        log.warn({ event: 'sync_event_not_published', err: error }, 'Failed to notify listeners of a sync event');
    }),
  );
  const connections = composeConnections({ settings, keys, pool, sequelize, log });
  const erasures = await composeErasures({ settings, pool, writer, spool, log });
  started.add(() => erasures.stop());
  const users = new Users({
    pool,
    sequelize,
    ledger: erasures.ledger,
    eraseUserData: (client, userKey) => writer.eraseUserData(client, userKey),
    removeSpoolFiles: async (names) => void (await Promise.all(names.map((name) => spool.remove(name)))),
    onUserErased: [({ userKey }, signal) => connections.deregistration.disconnectAll(userKey, signal)],
    onUserErasedFailure: (error, userId) =>
      log.warn(
        { event: 'deregistration_failed', err: error, user_id: userId },
        'Failed to deregister an erased user at vendors',
      ),
  });

  const metrics = createMetrics();
  const queue = createJobQueue({
    mongodbUri: settings.mongodbUri,
    pool,
    connectionString: url,
    concurrency: settings.jobConcurrency,
    role,
    log,
    onRun: metrics.observeJob,
  });
  const importSettings: ImportSettings = {
    maxUploadBytes: settings.importMaxBytes,
    maxUnpackedBytes: settings.importMaxUnpackedBytes,
    maxRatio: settings.importMaxRatio,
    idleSeconds: settings.uploadIdleSeconds,
    keepFailedDays: settings.failedUploadRetentionDays,
  };
  const imports = queue.define(importJob({ pool, runs, writer, spool, settings: importSettings }));
  queue.sweep(importSweeper({ pool }));
  queue.define(cleaningJob(spoolCleaning({ pool, spool, settings: importSettings })));
  queue.define(
    cleaningJob(
      runCleaning({ pool, retention: { ...DEFAULT_SYNC_RETENTION, runDays: settings.syncRunRetentionDays } }),
    ),
  );
  const push = composePush({ settings, pool, url, runs, writer, queue, log });
  started.add(() => push.closeReader());
  const findUser = (id: string) => users.find(id);
  const consents = composeConsents({ settings, keys, pool, connections, queue, findUser, log });
  const sync = composeSync({ settings, pool, runs, writer, connections, queue, metrics });
  const retriers = retriersOf({
    pull: sync.retrier,
    importFile: importRetrier({ pool, runs, spool, imports }),
    deviceBatch: push.retrier,
  });
  queue.define(archivalJob({ pool }));
  queue.sweep(archivalSweeper({ pool }));
  queue.define(repairJob({ pool, writer }));
  queue.sweep(repairSweeper({ pool }));
  queue.define(cleaningJob(auditCleaning({ pool, days: settings.auditRetentionDays })));
  queue.define(cleaningJob(credentialCleaning({ accounts })));
  started.add(() => queue.stop(DRAIN_SECONDS));
  await queue.start();
  const priorityWatch = await watchPriorities({ pool, url, log });
  started.add(() => within(CLOSE_SECONDS, priorityWatch.stop()));

  const gate = createGate({ accounts, findUser, serviceName: settings.serviceName });
  const bindings: Binding[] = [
    ...accountRoutes({ accounts, onDeviceAuthorized: (userId) => connections.writer.reauthorizeDevice(userId) }),
    ...consoleSessionRoutes({
      accounts,
      cookie: {
        secure: settings.apiBaseUrl.startsWith('https:'),
        maxAgeSeconds: settings.refreshTokenIdleDays * SECONDS_PER_DAY,
      },
    }),
    ...userRoutes({ users }),
    ...consents.bindings,
    ...sync.bindings,
    ...runRetryRoutes({ pool, runs, retriers }),
    ...auditRoutes({ pool }),
    ...importRoutes({
      pool,
      runs,
      spool,
      imports,
      findUser,
      settings: importSettings,
      addresses: new UploadAddresses(deriveKey(keys.signingKey, 'upload-address'), settings.apiBaseUrl),
    }),
    ...syncRoutes({ pool }),
    ...push.bindings,
    ...eventDeletionRoutes({ writer }),
    ...priorityRoutes({ pool }),
    ...archivalRoutes({ pool }),
    ...readingRoutes({
      pool,
      coverage: PROVIDERS.map(({ id, coverage }) => ({ provider: id, ...coverage })),
      activityMerge: settings.activityMerge,
      recoverySelection: settings.recoverySelection,
    }),
    ...operationsRoutes({ apiKeyHeader: gate.apiKeyHeader, pullSyncLookbackMs: settings.pullSyncLookbackMs }),
  ];
  const folders = database.embedded ? [settings.spoolDir, settings.dataDir] : [settings.spoolDir];
  const diskRoom = watchDiskRoom(folders);
  const server = await listen({ metrics, settings, gate, bindings, users, pool, queue, diskRoom, role, log });
  // Side by side; what a request stores meanwhile and no queue takes any more, the sweeper of the next start finds.
  started.add(() => Promise.all([server.close(DRAIN_SECONDS), queue.stop(DRAIN_SECONDS)]));
  started.add(() => push.closeStreams());
  // Only a process that runs jobs decides, with the settings that the job will use.
  if (role !== 'api') await consents.renewSubscribers();

  return {
    port: server.port,
    metricsPort: server.metricsPort,
    apiKeyHeader: gate.apiKeyHeader,
    firstAccount,
    ownsApiKey: (key) => accounts.apiKeys.isKnown(key),
    stop: () => started.dispose(),
  };
}

/** Waits for work at most so long. */
async function within(seconds: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
