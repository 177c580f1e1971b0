import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import type { Spool } from '../../platform/spool/index.js';
import { FILE_RUN, newRunId, type SyncRuns } from '../../runs/index.js';
import type { ImportFile } from './import-file.js';
import { insertImportFile, isReceived } from './import-files.js';
import type { ReceivedFile } from './receive-part.js';

/**
 * Accepts a received file: from now on its import is guaranteed. Creates its row and its run in one transaction.
 * @returns the run's ID
 * @throws Failure `not_found` if the user was deleted during the upload, `conflict` if a file with this ID was accepted
 * concurrently; the file is then removed
 */
export async function acceptImport(
  { pool, runs, spool }: { pool: pg.Pool; runs: SyncRuns; spool: Spool },
  user: { id: string; userKey: number },
  provider: ProviderId,
  file: ReceivedFile,
  { mode, dryRun }: Pick<ImportFile, 'mode' | 'dryRun'>,
): Promise<string> {
  const runId = newRunId(FILE_RUN.idPrefix);
  const { userKey } = user;
  const failure = await inTransaction(pool, async (client) => {
    if (!(await lockUserIfExists(client, { userKey })))
      return new Failure('not_found', `User with ID: ${user.id} not found.`);
    // The lock on the user's row serializes concurrent uploads.
    if (await isReceived(client, file.id))
      return new Failure('conflict', 'This upload URL was already used. Request a new one.');
    await insertImportFile(client, { ...file, runId, userKey, provider, mode, dryRun });
    await runs.queue(client, {
      runId,
      userKey,
      provider,
      source: FILE_RUN.source,
      message: 'The file is stored and will be imported.',
      metadata: {
        filename: file.filename,
        byte_size: file.byteSize,
        sha256: file.sha256.toString('hex'),
        mode,
        dry_run: dryRun,
      },
    });
    return undefined;
  });
  // Keeps the file after any other failure, because the row may exist even though the response was lost. The cleanup
  // deletes unneeded files later.
  if (failure) {
    await spool.remove(file.spoolName);
    throw failure;
  }
  runs.announce(userKey);
  return runId;
}
