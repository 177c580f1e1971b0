import { randomUUID } from 'node:crypto';
import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';

/** Daily runs start at this hour UTC. */
const RUN_HOUR = 3;

/** Days after which samples are archived or deleted; null disables it. */
export interface ArchivalSettings {
  archiveAfterDays: number | null;
  deleteAfterDays: number | null;
}

/** A due run. If the stored due time differs from `dueAt` when the run ends, another run was requested during it. */
export interface DueRun extends ArchivalSettings {
  taskId: string | null;
  dueAt: Date;
}

interface Row {
  archive_after_days: number | null;
  delete_after_days: number | null;
  next_run_at: Date | null;
  task_id: string | null;
}

export async function readSettings(pool: pg.Pool): Promise<ArchivalSettings> {
  const { archive_after_days: archiveAfterDays, delete_after_days: deleteAfterDays } = await readRow(pool);
  return { archiveAfterDays, deleteAfterDays };
}

/** Replaces the settings. Unless both are null, a run is due immediately. */
export async function writeSettings(pool: pg.Pool, settings: ArchivalSettings): Promise<void> {
  await pool.query(
    `update archival_setting
        set archive_after_days = $1, delete_after_days = $2, updated_at = now(), task_id = null,
            next_run_at = case when coalesce($1::int, $2::int) is not null then clock_timestamp() end`,
    [settings.archiveAfterDays, settings.deleteAfterDays],
  );
}

/** Makes a run due immediately. @returns the run's ID for the log */
export async function requestRun(pool: pg.Pool): Promise<string> {
  const taskId = randomUUID();
  await pool.query('update archival_setting set next_run_at = clock_timestamp(), task_id = $1', [taskId]);
  return taskId;
}

/** Returns the due run, if any. */
export async function dueRun(pool: pg.Pool): Promise<DueRun | undefined> {
  const row = await readRow(pool);
  if (row.next_run_at === null || row.next_run_at.getTime() > Date.now()) return undefined;
  return {
    archiveAfterDays: row.archive_after_days,
    deleteAfterDays: row.delete_after_days,
    taskId: row.task_id,
    dueAt: row.next_run_at,
  };
}

/** Sets the next due time, unless another run was requested during this run. */
export async function endRun(pool: pg.Pool, { dueAt, ...settings }: DueRun, nextAt: Date): Promise<void> {
  const isOn = settings.archiveAfterDays !== null || settings.deleteAfterDays !== null;
  await pool.query(
    `update archival_setting set next_run_at = $2, task_id = null
      where date_trunc('milliseconds', next_run_at) = $1`,
    [dueAt, isOn ? nextAt : null],
  );
}

/** Returns the next daily run after the given time. */
export function nextDailyRun(nowMs: number): Date {
  const todayMs = Math.floor(nowMs / MS_PER_DAY) * MS_PER_DAY + RUN_HOUR * MS_PER_HOUR;
  return new Date(todayMs > nowMs ? todayMs : todayMs + MS_PER_DAY);
}

async function readRow(pool: pg.Pool): Promise<Row> {
  const { rows } = await pool.query<Row>(
    'select archive_after_days, delete_after_days, next_run_at, task_id from archival_setting',
  );
  return rows[0] ?? { archive_after_days: null, delete_after_days: null, next_run_at: null, task_id: null };
}
