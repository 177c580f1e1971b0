import { SECONDS_PER_HOUR } from '@healthd/model';
import { z } from 'zod';
import { defineJob, type JobDefinition, RETRY_SOON } from '../../platform/jobs/index.js';
import { failed } from './import-end.js';
import { endImportFile } from './import-files.js';
import { IMPORT_JOB, type ImportPayload, importPayload } from './import-payload.js';
import type { ImportServices } from './import-services.js';
import { runImport } from './run-import.js';
import { markFileDeleted } from './served-files.js';
import { nextOfUser } from './waiting-files.js';

/** Maximum number of concurrent imports. Imports of one user run in sequence. */
const IMPORTS_AT_ONCE = 2;
const MAX_DURATION_SECONDS = 12 * SECONDS_PER_HOUR;

/**
 * Imports the user's oldest waiting file. A fault in the file ends the run. A server error (database unavailable,
 * process stopping) is thrown, and the import restarts from its beginning. The key is the user, so two files of one
 * user are never imported concurrently.
 */
export function importJob(services: ImportServices): JobDefinition<ImportPayload> {
  const { pool, spool, runs } = services;
  return defineJob({
    name: IMPORT_JOB,
    payload: z.object({ import_file_id: z.uuid(), user_key: z.int() }),
    key: ({ user_key: userKey }) => `user ${userKey}`,
    concurrency: IMPORTS_AT_ONCE,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_SOON,
    async run({ import_file_id: id }, { signal, log, again }) {
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
      if (next) await again(importPayload(next));
    },
    async onRetry({ import_file_id: id }, { cause, attempt, maxAttempts, at }) {
      const file = await nextOfUser(pool, id);
      if (!file) return;
      const [reason, why] = INTERRUPTIONS[cause];
      const message = `Interrupted by ${why}. The import restarts from the beginning.`;
      await runs.move(file.runId, 'started', { message, nextTry: { reason, attempt, maxAttempts, at } });
    },
    async onGiveUp({ import_file_id: id }) {
      const file = await nextOfUser(pool, id);
      if (!file) return;
      const text = 'The import failed repeatedly because of a server error. See the server log.';
      await runs.finish(file.runId, failed(text), { message: text, metadata: { reason: 'gave_up' } });
      await endImportFile(pool, file, 'failed');
    },
  });
}

/** Code and message for each interruption of the job. */
const INTERRUPTIONS = {
  failed: ['server_fault', 'a server error (see the server log)'],
  stopping: ['service_stopping', 'a shutdown of the service'],
} as const;
