import type pg from 'pg';
import {
  type ImportEnqueuer,
  type ImportSettings,
  importJob,
  importRetrier,
  importSweeper,
  spoolCleaning,
} from '../ingest/files/index.js';
import type { JobQueue } from '../platform/jobs/index.js';
import { openSpool, type Spool } from '../platform/spool/index.js';
import { cleaningJob } from '../retention/index.js';
import type { RunRetrier, SyncRuns } from '../runs/index.js';
import type { RecordWriter } from '../store/write/index.js';
import type { Overrides } from './overrides.js';
import type { Settings } from './settings/settings.js';

export interface ImportParts {
  spool: Spool;
  settings: ImportSettings;
  imports: ImportEnqueuer;
  retrier: RunRetrier;
}

/** Creates the import of uploaded files. Call before the queue starts. */
export async function composeImports(options: {
  settings: Settings;
  pool: pg.Pool;
  runs: SyncRuns;
  writer: RecordWriter;
  queue: Pick<JobQueue, 'define' | 'sweep'>;
  overrides: Pick<Overrides, 'batchSamples'>;
}): Promise<ImportParts> {
  const { pool, runs, writer, queue, overrides } = options;
  const settings: ImportSettings = {
    maxUploadBytes: options.settings.importMaxBytes,
    maxUnpackedBytes: options.settings.importMaxUnpackedBytes,
    maxRatio: options.settings.importMaxRatio,
    idleSeconds: options.settings.uploadIdleSeconds,
    keepFailedDays: options.settings.failedUploadRetentionDays,
  };
  const spool = await openSpool(options.settings.spoolDir, 'import');
  const { batchSamples } = overrides;
  const imports = queue.define(importJob({ pool, runs, writer, spool, settings, batchSamples }));
  queue.sweep(importSweeper({ pool }));
  queue.define(cleaningJob(spoolCleaning({ pool, spool, settings })));
  return { spool, settings, imports, retrier: importRetrier({ pool, runs, spool, imports }) };
}
