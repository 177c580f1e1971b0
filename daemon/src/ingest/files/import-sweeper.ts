import type pg from 'pg';
import type { JobSweeper } from '../../platform/jobs/index.js';
import { IMPORT_JOB, type ImportPayload, importPayload } from './import-payload.js';
import { filesWithoutImport } from './waiting-files.js';

/**
 * Finds received files without a job, because the job store was unavailable or the process crashed before enqueueing
 * it.
 */
export function importSweeper({ pool }: { pool: pg.Pool }): JobSweeper<ImportPayload> {
  return {
    name: IMPORT_JOB,
    findUnqueued: async (limit) => (await filesWithoutImport(pool, IMPORT_JOB, limit)).map(importPayload),
  };
}
