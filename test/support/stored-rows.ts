import type pg from 'pg';

/** Columns that differ between two databases with the same data, such as ids and write times. */
const OWN = ['user_key', 'source_id', 'night_source_id', 'id', 'created_at', 'updated_at'];
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

const USER_KEY = '(select user_key from health_user where id = $1)';

/** Number of rows and a checksum of one table's rows of one user, independent of order. */
export interface StoredTable {
  rows: number;
  checksum: string;
}

/**
 * Returns all stored health data of a user, table by table. The result is equal for two users if and only if they have
 * the same data: it identifies sources by their properties and omits internal IDs and write times.
 */
export async function storedRows(pool: pg.Pool, userId: string): Promise<Record<string, StoredTable>> {
  const stored: Record<string, StoredTable> = {};
  for (const table of TABLES) {
    const columns = await columnsOf(pool, table);
    const compared = columns.filter(({ name }) => !OWN.includes(name));
    // Bit strings are the only type without a hash.
    const values = compared.map(({ name, type }) => (type === 'bit' ? `t."${name}"::text` : `t."${name}"`));
    const hasSource = columns.some(({ name }) => name === 'source_id');
    // The database computes the sum, because sorting and sending 100,000 rows takes longer than their import.
    const { rows } = await pool.query<StoredTable>(
      `with source as (select source_id, concat_ws('|', provider, device_model, writer, device_id) as name
                         from data_source where user_key = ${USER_KEY}),
         line as (select row(${[...values, ...(hasSource ? ['source.name'] : [])]}) as line
                    from ${table} t ${hasSource ? 'left join source using (source_id)' : ''} where user_key = ${USER_KEY})
       select count(*)::int as rows,
              concat_ws(' ', sum(hash_record_extended(line, 0)), sum(hash_record_extended(line, 1))) as checksum
         from line`,
      [userId],
    );
    stored[table] = rows[0] ?? { rows: 0, checksum: '' };
  }
  return stored;
}

async function columnsOf(pool: pg.Pool, table: string): Promise<{ name: string; type: string }[]> {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = $1 order by column_name`,
    [table],
  );
  return rows;
}
