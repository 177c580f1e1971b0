import type { SyncRun } from '@healthd/schemas';
import { changesOf, changeTotals } from '../service/change-report.js';
import { reportOf, storedTotals } from '../service/run-report.js';

/** What programs are given of an import that has ended. @param seconds that it took, upload included */
export function importResult(run: SyncRun, seconds: number): Record<string, unknown> {
  const report = reportOf(run);
  const changes = changesOf(run);
  return {
    ...run,
    ...storedTotals(report),
    ...(changes && { gone: changeTotals(changes).gone, changes }),
    ...(report.items && { items: report.items }),
    rejected: report.rejectedTotal,
    rejected_by_reason: report.rejectedByReason,
    unsupported: report.unsupported,
    unsupported_elements: report.unsupportedElements,
    unsupported_files: report.unsupportedFiles,
    seconds: Math.round(seconds * 1000) / 1000,
  };
}
