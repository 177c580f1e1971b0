import type { SyncStatus } from '@healthd/contract';
import type { SyncRun } from '@healthd/schemas';
import type pg from 'pg';
import { noteImportedConnection } from '../../connections/index.js';
import { UserMissingError } from '../../platform/database/index.js';
import type { Spool } from '../../platform/spool/index.js';
import { createRunProgress, findRun, hasNewerData, type RunOutcome, type SyncRuns } from '../../runs/index.js';
import type { FileWriter, RecordWriter } from '../../store/write/index.js';
import { fileAdapterOf } from './file-adapter-of.js';
import type { WaitingFile } from './import-files.js';
import { ImportTotals, outcomeOf } from './import-report.js';
import { replaceOld } from './replace-old.js';
import type { ImportSettings } from './settings.js';

export interface ImportServices {
  pool: pg.Pool;
  runs: SyncRuns;
  writer: RecordWriter;
  spool: Spool;
  settings: Pick<ImportSettings, 'maxUnpackedBytes' | 'maxRatio'>;
  /** Samples stored in one transaction; the reader's own choice without it. */
  batchSamples?: number;
}

/** How an import ended; `partial`: some of the file was not stored; `gone`: the user was deleted meanwhile. */
export type ImportEnd = 'done' | 'partial' | 'failed' | 'gone';

/**
 * Reads a received file into the store, telling its progress. An import that was cut off begins again and ends with the
 * same rows: what it stored before is met again and left as it is.
 * @throws the signal's reason, and what is no fault of the file: the import is to be repeated then
 */
export async function runImport(services: ImportServices, file: WaitingFile, signal: AbortSignal): Promise<ImportEnd> {
  const { runs, spool } = services;
  const start = { message: 'Reading the export.', progress: 0, itemsProcessed: 0 };
  const started = await runs.move(file.runId, 'started', start);
  if (started === 'gone') return 'gone';
  // The run had ended, and only the file's own row was not brought up to date any more.
  if (started === 'refused') return endOf(await findRun(services.pool, file.runId));
  try {
    const hash = await spool.hash(file.spoolName, signal);
    if (!hash) return await endUnread(services, file, 'spool_file_missing');
    if (!hash.equals(file.sha256)) return await endUnread(services, file, 'spool_file_damaged');
    return await readAndStore(services, file, signal);
  } catch (error) {
    if (error instanceof UserMissingError) return 'gone';
    throw error;
  }
}

const UNREADABLE = {
  spool_file_missing: 'The uploaded file is missing. Do all daemons share one SPOOL_DIR?',
  spool_file_damaged:
    'The uploaded file is damaged: its bytes are not those that were received. Check the disk of SPOOL_DIR and upload the file again.',
} as const;

/** Ends the run of a file of which nothing may be read. */
function endUnread(services: ImportServices, file: WaitingFile, reason: keyof typeof UNREADABLE): Promise<ImportEnd> {
  const text = UNREADABLE[reason];
  return end(services, file, failed(text), { message: text, metadata: { reason } });
}

async function readAndStore(services: ImportServices, file: WaitingFile, signal: AbortSignal): Promise<ImportEnd> {
  const target = await services.writer.openFile(file.userKey, {
    replaces: file.mode === 'replace',
    isDryRun: file.dryRun,
    keepStored: await isOutdated(services, file),
  });
  try {
    return await readInto(target, services, file, signal);
  } finally {
    target.close();
  }
}

async function readInto(
  target: FileWriter,
  services: ImportServices,
  file: WaitingFile,
  signal: AbortSignal,
): Promise<ImportEnd> {
  const { pool, runs, spool, settings, batchSamples } = services;
  const totals = new ImportTotals();
  const progress = createRunProgress(runs, file.runId);
  const limits = { maxUnpackedBytes: settings.maxUnpackedBytes, maxRatio: settings.maxRatio };
  let share = 0;
  for await (const event of fileAdapterOf(file.provider).read(spool.pathOf(file.spoolName), {
    limits,
    batchSamples,
    signal,
  })) {
    if (event.kind === 'batch') {
      totals.count(event.batch);
      totals.add(await target.write(event.batch));
      signal.throwIfAborted();
    } else if (event.kind === 'progress') {
      // The end belongs to the step that says so.
      share = Math.min(0.99, event.progress.bytesRead / Math.max(1, event.progress.bytesTotal));
    } else {
      const fault = await replaceOld(pool, target, file, event.report, signal);
      const { dryRun } = file;
      const report = {
        ...totals.report(event.report, file.byteSize),
        gone: target.gone(),
        changes: target.changes(),
      };
      const { outcome, reason, message } = outcomeOf(event.report, report, { dryRun, fault });
      if (!dryRun && (outcome.stage === 'completed' || totals.items > 0))
        await noteImportedConnection(services.pool, file.userKey, file.provider);
      return end(services, file, outcome, {
        message,
        itemsProcessed: totals.items,
        metadata: {
          ...(reason === undefined ? {} : { reason }),
          records_per_second: totals.itemsPerSecond,
          items: totals.itemCounts(event.report),
          report,
        },
      });
    }
    const reported = await progress.report('processing', () => ({
      progress: share,
      itemsProcessed: totals.items,
      metadata: { records_per_second: totals.itemsPerSecond },
    }));
    // The run was cancelled, or the user is gone: what is stored stays, the rest is not imported.
    if (reported === 'gone') return 'gone';
    if (reported === 'refused') return 'failed';
  }
  throw new Error('The export reader ended without a report.');
}

/** What came since a file was received is newer than the file; an import that is retried must not take it back. */
async function isOutdated({ pool }: ImportServices, file: WaitingFile): Promise<boolean> {
  const { retriedSince: since } = file;
  return since !== undefined && hasNewerData(pool, { ...file, since });
}

async function end(
  { runs }: ImportServices,
  file: WaitingFile,
  outcome: RunOutcome,
  step: Parameters<SyncRuns['finish']>[2],
): Promise<ImportEnd> {
  const recorded = await runs.finish(file.runId, outcome, step);
  if (recorded === 'gone') return 'gone';
  return endOfStatus(outcome.status);
}

function endOf(run: SyncRun | undefined): ImportEnd {
  return run ? endOfStatus(run.status) : 'gone';
}

function endOfStatus(status: SyncStatus): ImportEnd {
  if (status === 'partial') return 'partial';
  return status === 'success' || status === 'skipped' ? 'done' : 'failed';
}

/** The end of a run that nothing can come of. */
export function failed(error: string): RunOutcome {
  return { stage: 'failed', status: 'failed', error };
}
