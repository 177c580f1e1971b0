import type pg from 'pg';

/** Every table of health data that has no foreign key to the user. */
const TABLES = [
  'sample',
  'sample_extremes',
  'offset_day',
  'day_value',
  'day_minutes',
  'day_merged',
  'user_archive',
  'day_archive',
  'archived_minute',
  'merged_archive',
  'night_archive',
  'night_value',
  'sleep_stage',
  'sleep_session',
  'workout',
  'menstrual_cycle',
  'health_score',
  'data_source',
  'personal_record',
  'pending_repair',
  'session_tombstone',
  'source_alias',
] as const;

/** Removes all health data of a user, in the caller's transaction; the user's own row is the caller's. */
export async function eraseUserData(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query('select 1 from health_user where user_key = $1 for update', [userKey]);
  for (const table of TABLES) await client.query(`delete from ${table} where user_key = $1`, [userKey]);
}
