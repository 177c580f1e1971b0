import type { TestDatabase } from './postgres.js';

/** Tables about the service's activity, not about users' health. */
const ABOUT_THE_SERVICE = [
  'audit_event',
  'sync_run',
  'sync_event',
  'import_file',
  'device_batch',
  'connection',
  'user_state',
  'user_events',
  'change',
  'user_digest',
  'day_digest',
  'expired_series',
];

/** Returns a checksum of each table about users' health. Equal checksums mean equal rows. */
export async function healthChecksums({ pool }: Pick<TestDatabase, 'pool'>): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'user_key' and table_name <> all ($1) order by 1`,
    [ABOUT_THE_SERVICE],
  );
  const sums: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: found } = await pool.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(r::text, e'\\n' order by r::text)), '') as sum from "${name}" r`,
    );
    sums[name] = found[0]?.sum ?? '';
  }
  return sums;
}
