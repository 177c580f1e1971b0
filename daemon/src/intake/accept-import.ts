import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import { inTransaction } from '../database/index.js';
import { Failure } from '../failures.js';
import { newRunId, type SyncRuns } from '../sync/index.js';
import { insertImportFile } from './import-files.js';
import type { ReceivedFile } from './receive-upload.js';
import type { Spool } from './spool.js';

/**
 * Takes a received file on: from here on it will be imported, whatever happens. Its row and its run come into being in
 * one transaction.
 * @returns the id of the run
 * @throws Failure `not_found` when the user was deleted during the upload; the file is removed then
 */
export async function acceptImport(
  { pool, runs, spool }: { pool: pg.Pool; runs: SyncRuns; spool: Spool },
  user: { id: string; userKey: number },
  provider: ProviderId,
  file: ReceivedFile,
): Promise<string> {
  const runId = newRunId('xml');
  const { userKey } = user;
  const accepted = await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query('select 1 from health_user where user_key = $1 for no key update', [
      userKey,
    ]);
    if (rowCount === 0) return false;
    await insertImportFile(client, { ...file, runId, userKey, provider });
    await runs.queue(client, {
      runId,
      userKey,
      provider,
      source: 'xml_import',
      message: 'The file is stored and waits for its import.',
      metadata: { filename: file.filename, byte_size: file.byteSize, sha256: file.sha256.toString('hex') },
    });
    return true;
  });
  // After any other failure the row may exist although we were not told; a file nobody needs is swept up later.
  if (!accepted) {
    await spool.remove(file.spoolName);
    throw new Failure('not_found', `User with ID: ${user.id} not found.`);
  }
  runs.announce(userKey);
  return runId;
}
