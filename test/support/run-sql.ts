import { createPool } from '@healthd/daemon/platform/database';

/** Runs one statement on a separate connection. */
export async function runSql(url: string, sql: string): Promise<void> {
  const pool = createPool({ url, max: 1, applicationName: 'healthd test' });
  try {
    await pool.query(sql);
  } finally {
    await pool.end();
  }
}
