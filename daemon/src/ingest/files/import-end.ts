import type { SyncStatus } from '@healthd/contract';
import type { SyncRun } from '@healthd/schemas';
import type { RunOutcome, SyncRuns } from '../../runs/index.js';
import type { WaitingFile } from './import-file.js';
import type { ImportServices } from './import-services.js';

/** Outcome of an import. `partial`: part of the file was not stored. `gone`: the user was deleted during the import. */
export type ImportEnd = 'done' | 'partial' | 'failed' | 'gone';

/** Ends the run of an import. */
export async function endImport(
  { runs }: ImportServices,
  file: WaitingFile,
  outcome: RunOutcome,
  step: Parameters<SyncRuns['finish']>[2],
): Promise<ImportEnd> {
  const recorded = await runs.finish(file.runId, outcome, step);
  if (recorded === 'gone') return 'gone';
  return endOfStatus(outcome.status);
}

/** Returns the outcome of an import whose run has ended. */
export function importEndOf(run: SyncRun | undefined): ImportEnd {
  return run ? endOfStatus(run.status) : 'gone';
}

function endOfStatus(status: SyncStatus): ImportEnd {
  if (status === 'partial') return 'partial';
  return status === 'success' || status === 'skipped' ? 'done' : 'failed';
}

/** Returns the outcome of a failed run. */
export function failed(error: string): RunOutcome {
  return { stage: 'failed', status: 'failed', error };
}
