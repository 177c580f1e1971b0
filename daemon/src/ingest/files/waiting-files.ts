import type pg from 'pg';
import { runLockIsHeld } from '../../platform/jobs/index.js';
import type { ImportFile, WaitingFile } from './import-file.js';

/** Columns of {@link WaitingFile}. */
const COLUMNS = `id, run_id as "runId", user_key as "userKey", provider, spool_name as "spoolName",
  byte_size as "byteSize", sha256, mode, dry_run as "dryRun", case when retried_at is not null then created_at end as "retriedSince"`;

/** Returns the oldest waiting file of the named file's user. A user's files are imported in order of arrival. */
export async function nextOfUser(pool: pg.Pool, importFileId: string): Promise<WaitingFile | undefined> {
  const { rows } = await pool.query<WaitingFile>(
    `select ${COLUMNS} from import_file
     where state = 'received' and user_key = (select user_key from import_file where id = $1)
     order by created_at, id limit 1`,
    [importFileId],
  );
  const row = rows[0];
  return row && { ...row, retriedSince: row.retriedSince ?? undefined };
}

/** Returns the oldest waiting file of each user without a running import. @param jobName name of the import job */
export async function filesWithoutImport(
  pool: pg.Pool,
  jobName: string,
  limit: number,
): Promise<Pick<ImportFile, 'id' | 'userKey'>[]> {
  const { rows } = await pool.query<Pick<ImportFile, 'id' | 'userKey'>>(
    `select id, user_key as "userKey" from (
       select distinct on (user_key) * from import_file where state = 'received' order by user_key, created_at, id
     ) oldest
     where not ${runLockIsHeld("$1 || ' user ' || user_key")}
     order by created_at, id limit $2`,
    [jobName, limit],
  );
  return rows;
}
