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
 * Takes a received file on: from here on it will be imported, no matter what happens. Its row and its run come into being in
 * one transaction.
 * @returns the id of the run
 * @throws Failure `not_found` when the user was deleted during the upload, `conflict` when a file of this id was taken on
 * meanwhile; the file is removed then
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
  const refusal = await inTransaction(pool, async (client) => {
    if (!(await lockUserIfExists(client, { userKey })))
      return new Failure('not_found', `User with ID: ${user.id} not found.`);
    // The lock on the user's row makes them take turns.
    if (await isReceived(client, file.id))
      return new Failure('conflict', 'This upload address was used already. Ask for another one.');
    await insertImportFile(client, { ...file, runId, userKey, provider, mode, dryRun });
    await runs.queue(client, {
      runId,
      userKey,
      provider,
      source: FILE_RUN.source,
      message: 'The file is stored and waits for its import.',
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
  // After any other failure the row may exist although we got no answer; a file no one needs is swept up later.
  if (refusal) {
    await spool.remove(file.spoolName);
    throw refusal;
  }
  runs.announce(userKey);
  return runId;
}
