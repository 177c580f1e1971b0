import { PROVIDERS } from '@healthd/providers';
import type { Logger } from 'pino';
import { ensureFirstAccount, type FirstAccount, purgeCredentialsJob } from './accounts/index.js';
import { archivalJob, archivalSweeper } from './archival/index.js';
import { auditRetentionJob } from './audit/index.js';
import { composeAccounts } from './compose-accounts.js';
import { composeConnections, composeConsents } from './compose-connections.js';
import { composePush } from './compose-push.js';
import { composeSync } from './compose-sync.js';
import { watchPriorities } from './connections/index.js';
import { createPool, createSequelize, migrate, type OpenDatabase } from './database/index.js';
import { createSyncNotifier } from './events/index.js';
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
  syncRoutes,
  userRoutes,
} from './http/index.js';
import { cleanSpoolJob, type ImportSettings, importJob, importSweeper, openSpool } from './intake/index.js';
import { createJobQueue } from './jobs/index.js';
import type { Keys } from './keys.js';
import { listen, requireFreePorts } from './listen.js';
import { createRecordWriter } from './records/index.js';
import type { Role } from './role.js';
import type { Settings } from './settings.js';
import { createSyncRuns, DEFAULT_SYNC_RETENTION, syncRetentionJob } from './sync/index.js';
import { Users } from './users/index.js';

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
  apiKeyHeader: string;
  /** Set when this start made the first account. */
  firstAccount: FirstAccount | undefined;
  /** Stops taking requests and jobs, lets those in hand end, closes connections; the database stays. */
  stop(): Promise<void>;
}

const POOL_SIZE = 20;
const STOP_SECONDS = 20;

/** Builds all parts and joins them; no part builds another. In the order: ports, schema, accounts, jobs, listen. */
export async function compose({ settings, keys, database, role, log }: ComposeOptions): Promise<Service> {
  const { url } = database;
  await requireFreePorts(settings);
  const migrated = await migrate(url);
  if (migrated.length > 0) log.info({ migrations: migrated }, 'the schema is up to date now');

  let stopping = false;
  const onIdleError = (error: Error) => {
    if (!stopping) log.warn({ err: error }, 'a database connection was lost');
  };
  const pool = createPool({ url, max: POOL_SIZE, onIdleError });
  const sequelize = createSequelize({ url });
  const accounts = composeAccounts({ settings, keys, pool, sequelize });
  const firstAccount = await ensureFirstAccount(accounts, settings);

  const spool = await openSpool(settings.spoolDir);
  const writer = createRecordWriter(pool, { sleepEndGapMinutes: settings.sleepEndGapMinutes });
  const runs = createSyncRuns(
    pool,
    createSyncNotifier(pool, (error) => {
      if (!stopping) log.warn({ err: error }, 'listeners were not told of a sync event');
    }),
  );
  const connections = composeConnections({ settings, keys, pool, sequelize, log });
  const users = new Users({
    pool,
    sequelize,
    eraseUserData: (client, userKey) => writer.eraseUserData(client, userKey),
    removeSpoolFiles: async (names) => void (await Promise.all(names.map((name) => spool.remove(name)))),
    farewellHooks: [({ userKey }, signal) => connections.farewell.disconnectAll(userKey, signal)],
    onFarewellFailure: (error, userId) => log.warn({ err: error, user_id: userId }, 'a deregistration failed'),
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
  const enqueueSoon = queue.enqueueSoon.bind(queue);
  queue.define(importJob({ pool, runs, writer, spool, settings: importSettings, enqueueSoon }));
  queue.sweep(importSweeper({ pool }));
  queue.define(cleanSpoolJob({ pool, spool, settings: importSettings }));
  queue.define(
    syncRetentionJob({ pool, retention: { ...DEFAULT_SYNC_RETENTION, runDays: settings.syncRunRetentionDays } }),
  );
  const push = composePush({ settings, pool, url, runs, writer, queue, log });
  const findUser = (id: string) => users.find(id);
  const consents = composeConsents({ settings, keys, pool, connections, writer, queue, findUser, log });
  const sync = composeSync({ settings, pool, runs, writer, connections, queue, metrics });
  queue.define(archivalJob({ pool }));
  queue.sweep(archivalSweeper({ pool }));
  queue.define(auditRetentionJob({ pool, days: settings.auditRetentionDays }));
  queue.define(purgeCredentialsJob({ accounts }));
  await queue.start();
  const priorityWatch = await watchPriorities({ pool, url, log });

  const gate = createGate({ accounts, findUser, serviceName: settings.serviceName });
  const bindings: Binding[] = [
    ...accountRoutes({ accounts, onDeviceAuthorized: (userId) => connections.writer.allowPush(userId) }),
    ...consoleSessionRoutes({
      accounts,
      cookie: {
        secure: settings.apiBaseUrl.startsWith('https:'),
        maxAgeSeconds: settings.refreshTokenIdleDays * 86_400,
      },
    }),
    ...userRoutes({ users }),
    ...consents.bindings,
    ...sync,
    ...auditRoutes({ pool }),
    ...importRoutes({ pool, runs, spool, queue, settings: importSettings }),
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
  const stopParts = async () => {
    stopping = true;
    await push.closeStreams();
    await queue.stop(STOP_SECONDS);
    push.closeReader();
    await priorityWatch.stop();
    await sequelize.close();
    await pool.end();
  };
  const server = await listen({ metrics, settings, gate, bindings, users, pool, queue, role, log }).catch(
    async (error: unknown) => {
      await stopParts();
      throw error;
    },
  );
  // Only whoever does jobs decides, with the settings that the job will use.
  if (role !== 'api') await consents.renewSubscribers();

  return {
    port: server.port,
    apiKeyHeader: gate.apiKeyHeader,
    firstAccount,
    async stop() {
      stopping = true;
      await push.closeStreams();
      await server.close(STOP_SECONDS);
      await stopParts();
    },
  };
}
