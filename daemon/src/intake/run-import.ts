import { access } from 'node:fs/promises';
import type { SyncRun } from '@healthd/api';
import { readAppleExportInThread } from '@healthd/providers';
import type pg from 'pg';
import { type RecordWriter, UserMissingError } from '../records/index.js';
import { createRunProgress, findRun, type RunOutcome, type SyncRuns } from '../sync/index.js';
import type { ImportFile } from './import-files.js';
import { ImportTotals, outcomeOf } from './import-report.js';
import type { ImportSettings } from './settings.js';
import type { Spool } from './spool.js';

export interface ImportServices {
  pool: pg.Pool;
  runs: SyncRuns;
  writer: RecordWriter;
  spool: Spool;
  settings: Pick<ImportSettings, 'maxUnpackedBytes' | 'maxRatio'>;
  /** Samples stored in one transaction; the reader's own choice without it. */
  batchSamples?: number;
}

/** How an import ended; `gone`: the user was deleted meanwhile. */
export type ImportEnd = 'done' | 'failed' | 'gone';

/**
 * Reads a received file into the store, telling its progress. An import that was cut off begins anew and ends with the
 * same rows: whatever it stored before is met again and left as it is.
 * @throws the signal's reason, and whatever is no fault of the file: the import is to be repeated then
 */
export async function runImport(services: ImportServices, file: ImportFile, signal: AbortSignal): Promise<ImportEnd> {
  const { runs, spool } = services;
  const path = spool.pathOf(file.spoolName);
  const start = { message: 'Reading the export.', progress: 0, itemsProcessed: 0 };
  const started = await runs.move(file.runId, 'started', start);
  if (started === 'gone') return 'gone';
  // The run had ended, and only the file's own row was not brought up to date any more.
  if (started === 'refused') return endOf(await findRun(services.pool, file.runId));
  if (!(await isReadable(path))) {
    const text = 'The uploaded file is missing. Do all daemons share one SPOOL_DIR?';
    return end(services, file, failed(text), { message: text, metadata: { reason: 'spool_file_missing' } });
  }
  try {
    return await readAndStore(services, file, path, signal);
  } catch (error) {
    if (error instanceof UserMissingError) return 'gone';
    await tellInterruption(services, file, signal.aborted);
    throw error;
  }
}

/** Who watches the run must not take the pause before the next attempt for work. */
async function tellInterruption({ runs }: ImportServices, file: ImportFile, stopping: boolean): Promise<void> {
  const cause = stopping ? 'the service was stopping' : 'of a fault of the server\u2019s; its log tells which';
  const message = `Interrupted because ${cause}. It is repeated from the beginning.`;
  // Where the database is away the run keeps its last message; the attempt itself is what counts.
  await runs.move(file.runId, 'started', { message }).catch(() => undefined);
}

async function readAndStore(
  services: ImportServices,
  file: ImportFile,
  path: string,
  signal: AbortSignal,
): Promise<ImportEnd> {
  const { runs, writer, settings, batchSamples } = services;
  const totals = new ImportTotals();
  const progress = createRunProgress(runs, file.runId);
  const limits = { maxUnpackedBytes: settings.maxUnpackedBytes, maxRatio: settings.maxRatio };
  let share = 0;
  for await (const event of readAppleExportInThread(path, { limits, batchSamples, signal })) {
    if (event.kind === 'batch') {
      totals.count(event.batch);
      totals.add(await writer.write(file.userKey, event.batch));
      signal.throwIfAborted();
    } else if (event.kind === 'progress') {
      // The end belongs to the step that says so.
      share = Math.min(0.99, event.progress.bytesRead / Math.max(1, event.progress.bytesTotal));
    } else {
      const report = totals.report(event.report, file.byteSize);
      const { outcome, reason, message } = outcomeOf(event.report, report);
      return end(services, file, outcome, {
        message,
        itemsProcessed: totals.items,
        metadata: { ...(reason === undefined ? {} : { reason }), records_per_second: totals.itemsPerSecond, report },
      });
    }
    const told = await progress.report('processing', () => ({
      progress: share,
      itemsProcessed: totals.items,
      metadata: { records_per_second: totals.itemsPerSecond },
    }));
    // Somebody has cancelled the run, or the user is gone: what is stored stays, the rest is left.
    if (told === 'gone') return 'gone';
    if (told === 'refused') return 'failed';
  }
  throw new Error('The export reader ended without a report.');
}

async function end(
  { runs }: ImportServices,
  file: ImportFile,
  outcome: RunOutcome,
  step: Parameters<SyncRuns['finish']>[2],
): Promise<ImportEnd> {
  const recorded = await runs.finish(file.runId, outcome, step);
  if (recorded === 'gone') return 'gone';
  return outcome.stage === 'completed' ? 'done' : 'failed';
}

function endOf(run: SyncRun | undefined): ImportEnd {
  if (!run) return 'gone';
  return run.stage === 'completed' ? 'done' : 'failed';
}

/** The end of a run that nothing can come of. */
export function failed(error: string): RunOutcome {
  return { stage: 'failed', status: 'failed', error };
}

async function isReadable(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
