import type pg from 'pg';
import type { ImportFile } from './import-file.js';

export async function insertImportFile(client: pg.ClientBase, file: ImportFile): Promise<void> {
  await client.query(
    `insert into import_file (id, run_id, user_key, provider, spool_name, byte_size, sha256, mode, dry_run, state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'received')`,
    [
      file.id,
      file.runId,
      file.userKey,
      file.provider,
      file.spoolName,
      file.byteSize,
      file.sha256,
      file.mode,
      file.dryRun,
    ],
  );
}

/** True if a file with this ID was already accepted. */
export async function isReceived(db: pg.Pool | pg.ClientBase, id: string): Promise<boolean> {
  const { rows } = await db.query('select 1 from import_file where id = $1', [id]);
  return rows.length > 0;
}

/** Records the outcome of a file's import, unless another run is about to import the file again. */
export async function endImportFile(
  pool: pg.Pool,
  { id, runId }: Pick<ImportFile, 'id' | 'runId'>,
  state: 'done' | 'partial' | 'failed',
): Promise<void> {
  await pool.query(
    `update import_file
        set state = case when dry_run and $3 <> 'failed' then 'awaiting_confirmation' else $3 end, finished_at = now()
      where id = $1 and run_id = $2 and state = 'received'`,
    [id, runId, state],
  );
}
