import { createPool } from '@healthd/daemon/platform/database';

/** Disk space of a table. */
export interface TableSize {
  table: string;
  rows: number;
  tableBytes: number;
  indexBytes: number;
}

const TABLES = ['sample', 'day_value', 'day_minutes', 'night_value', 'offset_day', 'sleep_stage', 'workout'] as const;

/** Returns rows and bytes of the tables that grow with health data. */
export async function tableSizes(databaseUrl: string): Promise<TableSize[]> {
  const pool = createPool({ url: databaseUrl, max: 1 });
  try {
    const sizes: TableSize[] = [];
    for (const table of TABLES) {
      const { rows } = await pool.query<Omit<TableSize, 'table'>>(
        `select (select count(*) from ${table}) as rows,
                pg_table_size('${table}') as "tableBytes", pg_indexes_size('${table}') as "indexBytes"`,
      );
      sizes.push(...rows.map((row) => ({ table, ...row })));
    }
    return sizes;
  } finally {
    await pool.end();
  }
}
