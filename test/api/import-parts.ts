import {
  DEFAULT_IMPORT_SETTINGS,
  type ImportSettings,
  importJob,
  importSweeper,
  openSpool,
  spoolCleaning,
} from '@healthd/daemon/ingest/files';
import { createJobQueue, type JobLog, type JobQueueOptions } from '@healthd/daemon/platform/jobs';
import { cleaningJob } from '@healthd/daemon/retention';
import { createSyncNotifier, createSyncRuns } from '@healthd/daemon/runs';
import { recordWriter } from '../support/recorded-user.js';

/** Everything that imports, put together as the service does it; the queue is not started yet. */
export async function importParts(options: {
  pool: JobQueueOptions['pool'];
  databaseUrl: string;
  spoolDir: string;
  role: JobQueueOptions['role'];
  log: JobLog;
  settings?: Partial<ImportSettings>;
  /** Small batches make an import of many transactions out of a small file. */
  batchSamples?: number;
}) {
  const { pool, databaseUrl, spoolDir, role, log } = options;
  const settings = { ...DEFAULT_IMPORT_SETTINGS, ...options.settings };
  const spool = await openSpool(spoolDir);
  const runs = createSyncRuns(pool, createSyncNotifier(pool));
  const writer = recordWriter({ pool });
  const queue = createJobQueue({
    pool,
    connectionString: databaseUrl,
    concurrency: 4,
    role,
    log,
    timing: { lockMs: 2000, pollMs: 200, sweepMs: 200 },
  });
  const services = { pool, runs, writer, spool, settings, batchSamples: options.batchSamples };
  const imports = queue.define(importJob(services));
  queue.define(cleaningJob(spoolCleaning(services)));
  queue.sweep(importSweeper({ pool }));
  return { ...services, queue, imports };
}
