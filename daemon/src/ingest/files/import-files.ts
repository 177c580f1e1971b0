import type { IMPORT_MODES } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import { runLockIsHeld } from '../../platform/jobs/index.js';

/**
 * How a file meets what files brought before: `merge` adds to it, `replace` takes its place.
 */
export type ImportMode = (typeof IMPORT_MODES)[number];

/** A received file that waits for its import. */
export interface ImportFile {
  id: string;
  runId: string;
  userKey: number;
  provider: ProviderId;
  spoolName: string;
  byteSize: number;
  /** Of the bytes that were received. */
  sha256: Buffer;
  mode: ImportMode;
  /** It is only compared with what is stored, and can be confirmed for {@link CONFIRMABLE_MINUTES}. */
  dryRun: boolean;
}

/** How long the file of a dry run is retained after its end. */
export const CONFIRMABLE_MINUTES = 60;

/** A file whose import waits for its turn. */
export interface WaitingFile extends ImportFile {
  /** When it was received, where it is imported again; what came since is newer than the file. */
  retriedSince: Date | undefined;
}

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

/** Whether a file of this id was taken on already. */
export async function isReceived(db: pg.Pool | pg.ClientBase, id: string): Promise<boolean> {
  const { rows } = await db.query('select 1 from import_file where id = $1', [id]);
  return rows.length > 0;
}

/** `run_id as "runId"` and so on, for {@link WaitingFile}. */
const COLUMNS = `id, run_id as "runId", user_key as "userKey", provider, spool_name as "spoolName",
  byte_size as "byteSize", sha256, mode, dry_run as "dryRun", case when retried_at is not null then created_at end as "retriedSince"`;

/** The oldest waiting file of the user whose file is named: files of one user are imported in order of arrival. */
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

/** The oldest waiting file of each user for whom no process imports anything; `jobName` is the name of the import job. */
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

/** Notes how the import of a file ended, unless it is to be imported again by another run already. */
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

/** Name in the spool of the file of an ended run; undefined when the file is gone. */
export async function storedSpoolName(pool: pg.Pool, runId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ spool_name: string }>(
    "select spool_name from import_file where run_id = $1 and state <> 'done' and file_deleted_at is null",
    [runId],
  );
  return rows[0]?.spool_name;
}

/**
 * Hands the stored file of an ended run over to another run, in the transaction that queues it.
 * @returns undefined when the file was deleted since
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
 * Hands the file of an ended dry run over to the run that imports it, in the transaction that queues that run. A run ends a
 * moment before its file's row says that it waits for this.
 * @returns undefined when the file was deleted since
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
 * Whether a file of the same user and provider that was received later than that of a run has been imported. Its run ends
 * a moment before the file's own row does.
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
 * Marks files that have served as deleted: those of completed imports immediately, of dry runs after an hour, others after
 * some days. The caller removes the files that it gets: from here on no one imports them again.
 * @returns names in the spool
 */
export async function markServedFiles(pool: pg.Pool, keepFailedDays: number): Promise<string[]> {
  const { rows } = await pool.query<{ spool_name: string }>(
    `update import_file set file_deleted_at = now()
      where file_deleted_at is null
        and (state = 'done'
             or (state = 'awaiting_confirmation' and finished_at <= now() - make_interval(mins => $2))
             or (state in ('partial', 'failed') and finished_at <= now() - make_interval(days => $1)))
     returning spool_name`,
    [keepFailedDays, CONFIRMABLE_MINUTES],
  );
  return rows.map((row) => row.spool_name);
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
