import type pg from 'pg';
import { CONFIRMABLE_MINUTES } from './import-file.js';

/**
 * Marks files that are no longer needed as deleted: immediately after completed imports, an hour after dry runs, some
 * days after other imports. The caller removes the returned files; no import can use them from now on.
 * @returns spool names
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

/** Marks the file as no longer in the spool. */
export async function markFileDeleted(pool: pg.Pool, id: string): Promise<void> {
  await pool.query('update import_file set file_deleted_at = now() where id = $1', [id]);
}

/** Returns the names that belong to files that are still needed. */
export async function neededSpoolNames(pool: pg.Pool, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ spool_name: string }>(
    'select spool_name from import_file where spool_name = any($1) and file_deleted_at is null',
    [names],
  );
  return new Set(rows.map((row) => row.spool_name));
}
