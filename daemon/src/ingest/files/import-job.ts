import { SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import { z } from 'zod';
import { defineJob, type JobDefinition, type JobSweeper, RETRY_SOON } from '../../platform/jobs/index.js';
import { endImportFile, filesWithoutImport, type ImportFile, markFileDeleted, nextOfUser } from './import-files.js';
import { failed, type ImportServices, runImport } from './run-import.js';

export const IMPORT_JOB = 'import-export-file';

/** Imports of one user run one after the other, those of different users side by side. */
const IMPORTS_AT_ONCE = 2;
const MAX_DURATION_SECONDS = 12 * SECONDS_PER_HOUR;

export interface ImportJobServices extends ImportServices {
  /** Puts a job into the queue; what it does not take is found by the sweeper. */
  tryEnqueue(name: string, payload: unknown, options: { uniqueKey: string }): Promise<boolean>;
}

/** The job of a received file. Its key is the user, so that two files of one user are never imported at once. */
export function importJobOf(file: Pick<ImportFile, 'id' | 'userKey'>): {
  name: string;
  payload: { import_file_id: string };
  uniqueKey: string;
} {
  return { name: IMPORT_JOB, payload: { import_file_id: file.id }, uniqueKey: `user ${file.userKey}` };
}

/**
 * Imports the oldest waiting file of the user whose file it is given. A fault of the file ends the run; a fault of ours
 * (the database is away, the process stops) is thrown, and the import is repeated from its beginning.
 */
export function importJob(services: ImportJobServices): JobDefinition {
  const { pool, spool, runs } = services;
  return defineJob({
    name: IMPORT_JOB,
    payload: z.object({ import_file_id: z.uuid() }),
    concurrency: IMPORTS_AT_ONCE,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_SOON,
    async handler({ import_file_id: id }, { signal, log }) {
      const file = await nextOfUser(pool, id);
      if (!file) return;
      const ended = await runImport(services, file, signal);
      log.info({ event: 'import_ended', runId: file.runId, ended }, 'Ended an import');
      if (ended === 'gone') return spool.remove(file.spoolName);
      await endImportFile(pool, file, ended);
      if (ended === 'done' && !file.dryRun) {
        await spool.remove(file.spoolName);
        await markFileDeleted(pool, file.id);
      }
      const next = await nextOfUser(pool, id);
      if (!next) return;
      const { name, payload, uniqueKey } = importJobOf(next);
      await services.tryEnqueue(name, payload, { uniqueKey });
    },
    async onRetry({ import_file_id: id }, { cause, attempt, maxAttempts, at }) {
      const file = await nextOfUser(pool, id);
      if (!file) return;
      const [reason, why] = INTERRUPTIONS[cause];
      const message = `Interrupted because ${why}. It is repeated from the beginning.`;
      await runs.move(file.runId, 'started', { message, nextTry: { reason, attempt, maxAttempts, at } });
    },
    async onGiveUp({ import_file_id: id }) {
      const file = await nextOfUser(pool, id);
      if (!file) return;
      const text = 'The import failed again and again for a reason of the server\u2019s. Its log tells why.';
      await runs.finish(file.runId, failed(text), { message: text, metadata: { reason: 'gave_up' } });
      await endImportFile(pool, file, 'failed');
    },
  });
}

/** Code and words, by what interrupted the job. */
const INTERRUPTIONS = {
  failed: ['server_fault', 'of a fault of the server\u2019s; its log tells which'],
  stopping: ['service_stopping', 'the service was stopping'],
} as const;

/** Finds received files that have no job: the job store was away, or the process died before it was told. */
export function importSweeper({ pool }: { pool: pg.Pool }): JobSweeper {
  return {
    name: IMPORT_JOB,
    findUnqueued: async (limit) => (await filesWithoutImport(pool, IMPORT_JOB, limit)).map(importJobOf),
  };
}
