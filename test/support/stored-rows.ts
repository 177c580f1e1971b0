import { createHash } from 'node:crypto';
import type pg from 'pg';

/** What a row is called or when it was written differs between two databases that hold the same data. */
const OWN = ['user_key', 'source_id', 'id', 'created_at', 'updated_at'];
const TABLES = [
  'personal_record',
  'data_source',
  'sample',
  'offset_day',
  'day_value',
  'day_minutes',
  'night_value',
  'sleep_stage',
  'sleep_session',
  'workout',
  'menstrual_cycle',
  'health_score',
];

/** Number of rows and a checksum of one table's rows of one user. */
export interface StoredTable {
  rows: number;
  sha256: string;
}

/**
 * Everything that is stored about a user's health, table by table, in a form that is equal for two users exactly when
 * the same data is stored: sources are named by who they are, and internal ids and times of writing are left out.
 */
export async function storedRows(pool: pg.Pool, userId: string): Promise<Record<string, StoredTable>> {
  const stored: Record<string, StoredTable> = {};
  for (const table of TABLES) {
    const { rows } = await pool.query<{ line: string }>(
      `select (to_jsonb(t) - $2::text[] || jsonb_build_object('source',
         (select concat_ws('|', provider, device_model, writer, device_id) from data_source s
          where s.user_key = t.user_key and s.source_id = (to_jsonb(t) ->> 'source_id')::int)))::text as line
       from ${table} t where user_key = (select user_key from health_user where id = $1)`,
      [userId, OWN],
    );
    const hash = createHash('sha256');
    for (const line of rows.map((row) => row.line).sort()) hash.update(line).update('\n');
    stored[table] = { rows: rows.length, sha256: hash.digest('hex') };
  }
  return stored;
}
