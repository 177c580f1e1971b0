import type { FileReport } from '@healthd/providers';
import type pg from 'pg';
import type { FileWriter } from '../../store/write/index.js';
import type { WaitingFile } from './import-file.js';
import { hasNewerFile } from './reassigned-files.js';

/** Reason why a file of mode `replace` removed nothing. */
export type ReplacementFault = 'truncated' | 'export_date_missing' | 'newer_file';

/** Message for each reason. */
export const REPLACEMENT_FAULTS: Readonly<Record<ReplacementFault, string>> = {
  truncated: 'Nothing was removed, because the file is truncated.',
  export_date_missing: 'Nothing was removed, because the file has no export date.',
  newer_file: 'Nothing was removed, because a newer file was imported during the import.',
};

/**
 * Removes data of earlier files that this file lacks, once all of it is stored. Only a complete file that is newer than
 * all others can prove that data is missing.
 */
export async function replaceOld(
  pool: pg.Pool,
  target: FileWriter,
  file: WaitingFile,
  read: FileReport,
  signal: AbortSignal,
): Promise<ReplacementFault | undefined> {
  if (file.mode !== 'replace' || read.failure !== undefined) return undefined;
  if (read.truncated) return 'truncated';
  if (read.exportedAtMs === undefined) return 'export_date_missing';
  if (await hasNewerFile(pool, file.runId)) return 'newer_file';
  await target.removeMissing(read.exportedAtMs, signal);
  return undefined;
}
