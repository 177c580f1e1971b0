import type pg from 'pg';
import type { ImportFile } from './import-file.js';

/** Returns the spool name of an ended run's file; undefined if the file was deleted. */
export async function storedSpoolName(pool: pg.Pool, runId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ spool_name: string }>(
    "select spool_name from import_file where run_id = $1 and state <> 'done' and file_deleted_at is null",
    [runId],
  );
  return rows[0]?.spool_name;
}

/**
 * Assigns an ended run's stored file to another run, in the transaction that queues that run.
 * @returns undefined if the file was deleted
 */
export async function reassignImportFile(
  client: pg.ClientBase,
  runId: string,
  toRunId: string,
): Promise<Pick<ImportFile, 'id' | 'userKey'> | undefined> {
  const { rows } = await client.query<Pick<ImportFile, 'id' | 'userKey'>>(
    `update import_file set run_id = $2, state = 'received', finished_at = null, retried_at = now()
      where run_id = $1 and state <> 'done' and file_deleted_at is null
     returning id, user_key as "userKey"`,
    [runId, toRunId],
  );
  return rows[0];
}

/**
 * Assigns an ended dry run's file to the run that imports it, in the transaction that queues that run. Also accepts the
 * state `received`, because a run ends shortly before its file's row waits for confirmation.
 * @returns undefined if the file was deleted
 */
export async function confirmImportFile(
  client: pg.ClientBase,
  runId: string,
  toRunId: string,
): Promise<Pick<ImportFile, 'id' | 'userKey' | 'provider'> | undefined> {
  const { rows } = await client.query<Pick<ImportFile, 'id' | 'userKey' | 'provider'>>(
    `update import_file
        set run_id = $2, state = 'received', dry_run = false, finished_at = null, retried_at = null
      where run_id = $1 and dry_run and state in ('received', 'awaiting_confirmation') and file_deleted_at is null
     returning id, user_key as "userKey", provider`,
    [runId, toRunId],
  );
  return rows[0];
}

/**
 * True if another file of the same user and provider was received after this run's file and has been imported. Also
 * checks the newer file's run, because the run ends shortly before its file's row is updated.
 */
export async function hasNewerFile(client: pg.Pool | pg.ClientBase, runId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from import_file this join import_file newer using (user_key, provider)
      where this.run_id = $1 and newer.created_at > this.created_at
        and (newer.state in ('done', 'partial')
             or exists (select 1 from sync_run r where r.run_id = newer.run_id and r.status in ('success', 'partial')
                           and r.metadata -> 'dry_run' is distinct from 'true'))
      limit 1`,
    [runId],
  );
  return rowCount === 1;
}

/**
 * Records that an import in mode `replace` starts to remove data. From then on it counts as a newer replacement, even
 * if its run fails or is cancelled.
 */
export async function markRemoving(pool: pg.Pool, runId: string): Promise<void> {
  await pool.query('update import_file set removed_missing = true where run_id = $1', [runId]);
}

/**
 * Returns the run of a newer import in mode `replace` that removed, or will remove, data of this run's file that the
 * newer file lacks. Undefined for a dry run, which stores nothing.
 */
export async function newerReplacementOf(client: pg.ClientBase, runId: string): Promise<string | undefined> {
  const { rows } = await client.query<{ run_id: string }>(
    `select newer.run_id
       from import_file this join import_file newer using (user_key, provider)
       left join sync_run r on r.run_id = newer.run_id
      where this.run_id = $1 and not this.dry_run and newer.created_at > this.created_at
        and newer.mode = 'replace' and not newer.dry_run
        and (newer.removed_missing or newer.state = 'received' and coalesce(r.status, '') not in ('success', 'partial', 'failed', 'cancelled'))
      order by newer.created_at desc limit 1`,
    [runId],
  );
  return rows[0]?.run_id;
}
