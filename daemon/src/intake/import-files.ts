import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import { runLockIsHeld } from '../jobs/index.js';

/** A received file that waits for its import. */
export interface ImportFile {
  id: string;
  runId: string;
  userKey: number;
  spoolName: string;
  byteSize: number;
}

export interface NewImportFile extends ImportFile {
  provider: ProviderId;
  sha256: Buffer;
}

export async function insertImportFile(client: pg.ClientBase, file: NewImportFile): Promise<void> {
  await client.query(
    `insert into import_file (id, run_id, user_key, provider, spool_name, byte_size, sha256, state)
     values ($1, $2, $3, $4, $5, $6, $7, 'received')`,
    [file.id, file.runId, file.userKey, file.provider, file.spoolName, file.byteSize, file.sha256],
  );
}

/** `id as "runId"` and so on, for {@link ImportFile}. */
const COLUMNS = 'id, run_id as "runId", user_key as "userKey", spool_name as "spoolName", byte_size as "byteSize"';

/** The oldest waiting file of the user whose file is named: files of one user are imported in order of arrival. */
export async function nextOfUser(pool: pg.Pool, importFileId: string): Promise<ImportFile | undefined> {
  const { rows } = await pool.query<ImportFile>(
    `select ${COLUMNS} from import_file
     where state = 'received' and user_key = (select user_key from import_file where id = $1)
     order by created_at, id limit 1`,
    [importFileId],
  );
  return rows[0];
}

/** The oldest waiting file of each user for whom no process imports anything; `jobName` is the name of the import job. */
export async function filesWithoutImport(pool: pg.Pool, jobName: string, limit: number): Promise<ImportFile[]> {
  const { rows } = await pool.query<ImportFile>(
    `select ${COLUMNS} from (
       select distinct on (user_key) * from import_file where state = 'received' order by user_key, created_at, id
     ) oldest
     where not ${runLockIsHeld("$1 || ' user ' || user_key")}
     order by created_at, id limit $2`,
    [jobName, limit],
  );
  return rows;
}

export async function endImportFile(pool: pg.Pool, id: string, state: 'done' | 'failed'): Promise<void> {
  await pool.query("update import_file set state = $2, finished_at = now() where id = $1 and state = 'received'", [
    id,
    state,
  ]);
}

/** Files that have served: those of ended imports at once, those of failed ones after some days. */
export async function filesToDelete(
  pool: pg.Pool,
  keepFailedDays: number,
): Promise<Pick<ImportFile, 'id' | 'spoolName'>[]> {
  const { rows } = await pool.query<Pick<ImportFile, 'id' | 'spoolName'>>(
    `select id, spool_name as "spoolName" from import_file
     where file_deleted_at is null
       and (state = 'done' or (state = 'failed' and finished_at <= now() - make_interval(days => $1)))
     order by finished_at limit 1000`,
    [keepFailedDays],
  );
  return rows;
}

export async function markFileDeleted(pool: pg.Pool, id: string): Promise<void> {
  await pool.query('update import_file set file_deleted_at = now() where id = $1', [id]);
}

/** Which of these names belong to a file that is still needed. */
export async function neededSpoolNames(pool: pg.Pool, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ spool_name: string }>(
    'select spool_name from import_file where spool_name = any($1) and file_deleted_at is null',
    [names],
  );
  return new Set(rows.map((row) => row.spool_name));
}
