import type pg from 'pg';
import { lockUserForErasure } from '../../platform/database/index.js';

/**
 * Tables of health data. Most have no foreign key to the user, so deleting the user's row does not delete their rows.
 */
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
  'night_source',
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
  'push_device',
  'pushed_sample',
  'pushed_tombstone',
  'pushed_range',
] as const;

/** Deletes all health data of a user in the caller's transaction. The caller deletes the user's row. */
export async function eraseHealthData(client: pg.ClientBase, userKey: number): Promise<void> {
  await lockUserForErasure(client, userKey);
  for (const table of TABLES) await client.query(`delete from ${table} where user_key = $1`, [userKey]);
}
