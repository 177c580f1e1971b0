import type { Job } from '../../platform/jobs/index.js';
import type { ImportFile } from './import-file.js';

export const IMPORT_JOB = 'import-export-file';

/** A received file and its user. */
export interface ImportPayload {
  import_file_id: string;
  user_key: number;
}

/** Enqueues the job of a received file. */
export type ImportEnqueuer = Pick<Job<ImportPayload>, 'tryEnqueue'>;

export function importPayload(file: Pick<ImportFile, 'id' | 'userKey'>): ImportPayload {
  return { import_file_id: file.id, user_key: file.userKey };
}
