import type pg from 'pg';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import type { Spool } from '../../platform/spool/index.js';
import { FILE_RUN, findRunRow, newRunId, type RunRow, type SyncRuns } from '../../runs/index.js';
import type { ImportFile } from './import-file.js';
import { confirmImportFile, hasNewerFile, storedSpoolName } from './reassigned-files.js';

export interface ConfirmServices {
  pool: pg.Pool;
  runs: Pick<SyncRuns, 'queue' | 'announce'>;
  spool: Pick<Spool, 'has'>;
}

export interface ConfirmedImport {
  runId: string;
  /** The file whose job must be enqueued; undefined if the dry run was already confirmed. */
  file?: Pick<ImportFile, 'id' | 'userKey'>;
}

/**
 * Imports the stored file of a dry run in a new run.
 * @throws Failure `not_found`, `conflict` if there is nothing to confirm, `gone` if the file was deleted
 */
export async function confirmImport(services: ConfirmServices, runId: string): Promise<ConfirmedImport> {
  const { pool, runs, spool } = services;
  const row = await findRunRow(pool, runId);
  if (!row) throw unknownRun(runId);
  const open = await openConfirmationOf(pool, runId);
  if (open !== undefined) return { runId: open };
  rejectUnlessCompared(row);
  const spoolName = await storedSpoolName(pool, runId);
  if (spoolName === undefined || !(await spool.has(spoolName))) {
    // A concurrent call may have confirmed the dry run and claimed the file.
    const existing = await openConfirmationOf(pool, runId);
    if (existing === undefined) throw fileMissingError();
    return { runId: existing };
  }
  const { user_key: userKey } = row;
  const confirmed = await inTransaction(pool, async (client): Promise<ConfirmedImport> => {
    if (!(await lockUserIfExists(client, { userKey }))) throw unknownRun(runId);
    const concurrent = await openConfirmationOf(client, runId);
    if (concurrent !== undefined) return { runId: concurrent };
    if (await hasNewerFile(client, runId)) {
      throw conflict('Another file was imported after the dry run, so its result is outdated. Upload the file again.');
    }
    return { ...(await queueConfirmed(services, client, row)) };
  });
  if (confirmed.file) runs.announce(userKey);
  return confirmed;
}

async function queueConfirmed({ runs }: ConfirmServices, client: pg.ClientBase, row: RunRow): Promise<ConfirmedImport> {
  const runId = newRunId(FILE_RUN.idPrefix);
  const file = await confirmImportFile(client, row.run_id, runId);
  if (!file) throw fileMissingError();
  const { filename, byte_size, sha256, mode } = row.metadata;
  await runs.queue(client, {
    runId,
    userKey: row.user_key,
    provider: file.provider,
    source: row.source,
    message: 'The file will be imported.',
    metadata: { filename, byte_size, sha256, mode, dry_run: false, confirms: row.run_id },
  });
  return { runId, file };
}

/** Returns the open run that confirms this dry run. @throws Failure `conflict` if it has ended */
async function openConfirmationOf(client: pg.Pool | pg.ClientBase, runId: string): Promise<string | undefined> {
  const { rows } = await client.query<{ run_id: string; ended: boolean }>(
    `select run_id, ended_at is not null as ended from sync_run
      where metadata ->> 'confirms' = $1 and metadata ? 'confirms' order by created_at desc limit 1`,
    [runId],
  );
  const confirmation = rows[0];
  if (confirmation?.ended) throw conflict(`The dry run was already confirmed by run ${confirmation.run_id}.`);
  return confirmation?.run_id;
}

function rejectUnlessCompared({ status, metadata }: RunRow): void {
  if (metadata.dry_run !== true) throw conflict('Cannot confirm: the run is not a dry run.');
  if (status === 'success' || status === 'partial') return;
  if (status === 'in_progress') throw conflict('The dry run has not ended yet.');
  throw conflict('Cannot confirm a failed dry run. Upload the file again.');
}

function fileMissingError(): Failure {
  return new Failure('gone', 'The file of this dry run was deleted. Upload it again.');
}

function unknownRun(runId: string): Failure {
  return new Failure('not_found', `Sync run with ID: ${runId} not found.`);
}

function conflict(message: string): Failure {
  return new Failure('conflict', message);
}
