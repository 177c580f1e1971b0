import type pg from 'pg';
import { Failure } from '../../platform/failures.js';
import type { Spool } from '../../platform/spool/index.js';
import { FILE_RUN, newRunId, type RunRetrier, retryMetadata, type SyncRuns } from '../../runs/index.js';
import { type ImportEnqueuer, importPayload } from './import-payload.js';
import { newerReplacementOf, reassignImportFile, storedSpoolName } from './reassigned-files.js';

export interface ImportRetryServices {
  pool: pg.Pool;
  runs: Pick<SyncRuns, 'queue'>;
  spool: Pick<Spool, 'has'>;
  imports: ImportEnqueuer;
}

/** Imports the stored file of an ended run again. */
export function importRetrier({ pool, runs, spool, imports }: ImportRetryServices): RunRetrier {
  return async (run) => {
    const spoolName = await storedSpoolName(pool, run.runId);
    if (spoolName === undefined || !(await spool.has(spoolName))) throw fileMissingError();
    return async (client) => {
      const newer = await newerReplacementOf(client, run.runId);
      if (newer !== undefined) throw replacedError(newer);
      const runId = newRunId(FILE_RUN.idPrefix);
      const file = await reassignImportFile(client, run.runId, runId);
      if (!file) throw fileMissingError();
      const { filename, byte_size, sha256, mode, dry_run } = run.metadata;
      await runs.queue(client, {
        runId,
        userKey: run.userKey,
        provider: run.provider,
        source: run.source,
        message: 'The file will be imported again.',
        metadata: { filename, byte_size, sha256, mode, dry_run, ...retryMetadata(run) },
      });
      return { runId, enqueue: () => imports.tryEnqueue(importPayload(file)) };
    };
  };
}

/** Returns the failure for a file that a newer import replaced. A retry would restore the removed data. */
function replacedError(runId: string): Failure {
  return new Failure('conflict', `A newer import in mode replace, run ${runId}, replaced the data of this file.`);
}

function fileMissingError(): Failure {
  return new Failure('gone', 'The file of this run was deleted. Upload it again.');
}
