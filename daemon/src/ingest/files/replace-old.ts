import type { FileReport } from '@healthd/providers';
import type pg from 'pg';
import type { FileWriter } from '../../store/write/index.js';
import type { ReplacementFault, WaitingFile } from './import-file.js';
import { hasNewerFile, markRemoving } from './reassigned-files.js';

/**
 * Removes data of earlier files that this file lacks. Call after the whole file is stored. Only a complete file that is
 * newer than all others can prove that data is missing.
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
  await markRemoving(pool, file.runId);
  await target.removeMissing(read.exportedAtMs, signal);
  return undefined;
}
