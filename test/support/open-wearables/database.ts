import { createPool } from '@healthd/daemon/platform/database';
import { createTestDatabase } from '../postgres.js';
import { runSql } from '../run-sql.js';
import { SCHEMA } from './schema.js';

/** Rows of one table, with their columns by name. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** Opens an empty Open Wearables database. */
export async function openWearablesDatabase() {
  const { url, pool, drop } = await createTestDatabase({ maxConnections: 2 });
  await runSql(url, 'drop schema public cascade; create schema public');
  await pool.query(SCHEMA);
  return {
    url,
    pool,
    drop,
    /** Adds rows, including dangling references, as in a manually repaired instance. */
    async add(table: string, rows: Rows): Promise<void> {
      const keys = rows.map((row) => JSON.stringify(row));
      const client = createPool({ url, max: 1 });
      try {
        await client.query('set session_replication_role = replica');
        await client.query(
          `insert into "${table}" select (jsonb_populate_record(null::"${table}",
             coalesce($2::jsonb, '{}') || r::jsonb)).* from unnest($1::text[]) r`,
          [keys, DEFAULTS[table] ?? null],
        );
      } finally {
        await client.end();
      }
    },
  };
}

export type OpenWearablesDatabase = Awaited<ReturnType<typeof openWearablesDatabase>>;

const CREATED = { created_at: '2025-01-02T03:04:05.678901Z' };
const DEFAULTS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'user',
    'personal_record',
    'data_source',
    'data_point_series',
    'data_point_series_archive',
    'event_record',
    'health_score',
    'developer',
    'api_key',
    'application',
    'menstrual_cycle_details',
    'invitation',
    'archival_settings',
    'refresh_token',
    'user_invitation_code',
  ]
    .map((table) => [table, JSON.stringify(CREATED)] as const)
    .concat([['user_connection', JSON.stringify({ ...CREATED, updated_at: '2025-03-30T10:00:00.123456Z' })]]),
);
