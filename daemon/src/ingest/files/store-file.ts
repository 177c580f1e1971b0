import { recordImportedConnection } from '../../connections/index.js';
import { createRunProgress } from '../../runs/index.js';
import type { FileWriter } from '../../store/write/index.js';
import { fileAdapterOf } from './file-adapter-of.js';
import { endImport, type ImportEnd } from './import-end.js';
import type { WaitingFile } from './import-file.js';
import { outcomeOf } from './import-report.js';
import type { ImportServices } from './import-services.js';
import { ImportTotals } from './import-totals.js';
import { replaceOld } from './replace-old.js';

/** Reads a file and stores it batch by batch. @throws as `runImport` */
export async function storeFile(
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
      // Only the final step reports 100%.
      share = Math.min(0.99, event.progress.bytesRead / Math.max(1, event.progress.bytesTotal));
    } else {
      const fault = await replaceOld(pool, target, file, event.report, signal);
      const { dryRun } = file;
      const items = totals.itemCounts(event.report);
      const report = {
        ...totals.report(event.report, file.byteSize),
        gone: target.gone(),
        changes: target.changes(),
        archived_days_kept: target.archivedDays(),
      };
      const { outcome, reason, message } = outcomeOf(event.report, report, { dryRun, fault });
      if (!dryRun && (outcome.stage === 'completed' || totals.items > 0))
        await recordImportedConnection(services.pool, file.userKey, file.provider);
      return endImport(services, file, outcome, {
        message,
        itemsProcessed: items.read,
        metadata: {
          ...(reason === undefined ? {} : { reason }),
          records_per_second: totals.itemsPerSecond,
          items,
          report,
        },
      });
    }
    const reported = await progress.report('processing', () => ({
      progress: share,
      itemsProcessed: totals.items,
      metadata: { records_per_second: totals.itemsPerSecond },
    }));
    // The run was cancelled or the user was deleted. Keeps the stored data and does not import the rest.
    if (reported === 'gone') return 'gone';
    if (reported === 'refused') return 'failed';
  }
  throw new Error('The export reader ended without a report.');
}
