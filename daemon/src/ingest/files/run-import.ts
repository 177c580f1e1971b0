import { UserMissingError } from '../../platform/database/index.js';
import { findRun, hasNewerData } from '../../runs/index.js';
import { DecideLimitError } from '../../store/write/index.js';
import { endImport, failed, type ImportEnd, importEndOf } from './import-end.js';
import type { WaitingFile } from './import-file.js';
import type { ImportServices } from './import-services.js';
import { storeFile } from './store-file.js';

/**
 * Imports a received file and reports its progress. An interrupted import starts again and ends with the same rows:
 * rows that it stored before are found and left unchanged.
 * @throws the signal's reason, and errors that are not the file's fault; the import must then be repeated
 */
export async function runImport(services: ImportServices, file: WaitingFile, signal: AbortSignal): Promise<ImportEnd> {
  const { runs, spool } = services;
  const start = { message: 'Reading the export.', progress: 0, itemsProcessed: 0 };
  const started = await runs.move(file.runId, 'started', start);
  if (started === 'gone') return 'gone';
  // The run had ended, but the file's own row was not updated.
  if (started === 'refused') return importEndOf(await findRun(services.pool, file.runId));
  try {
    const hash = await spool.hash(file.spoolName, signal);
    if (!hash) return await endUnread(services, file, 'spool_file_missing');
    if (!hash.equals(file.sha256)) return await endUnread(services, file, 'spool_file_damaged');
    return await readAndStore(services, file, signal);
  } catch (error) {
    if (error instanceof UserMissingError) return 'gone';
    if (error instanceof DecideLimitError) {
      const { message, code: reason } = error;
      return endImport(services, file, failed(message), { message, metadata: { reason } });
    }
    throw error;
  }
}

const UNREADABLE = {
  spool_file_missing:
    'The uploaded file is missing. Check that all daemons use the same SPOOL_DIR, then upload the file again.',
  spool_file_damaged:
    'The uploaded file is damaged: its bytes differ from the received ones. Check the disk of SPOOL_DIR and upload the file again.',
} as const;

/** Ends the run of a file that must not be read. */
function endUnread(services: ImportServices, file: WaitingFile, reason: keyof typeof UNREADABLE): Promise<ImportEnd> {
  const text = UNREADABLE[reason];
  return endImport(services, file, failed(text), { message: text, metadata: { reason } });
}

async function readAndStore(services: ImportServices, file: WaitingFile, signal: AbortSignal): Promise<ImportEnd> {
  const target = await services.writer.openFile(file.userKey, {
    replaces: file.mode === 'replace',
    isDryRun: file.dryRun,
    keepStored: await isOutdated(services, file),
    runId: file.runId,
  });
  try {
    return await storeFile(target, services, file, signal);
  } finally {
    target.close();
  }
}

/** True if newer data arrived after a retried file. The import must not overwrite that data. */
async function isOutdated({ pool }: ImportServices, file: WaitingFile): Promise<boolean> {
  const { retriedSince: since } = file;
  return since !== undefined && hasNewerData(pool, { ...file, since });
}
