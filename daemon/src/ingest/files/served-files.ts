import type pg from 'pg';
import { CONFIRMABLE_MINUTES } from './import-file.js';

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

/** Notes that the file is no longer in the spool. */
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
