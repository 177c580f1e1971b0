import type { TestDatabase } from './postgres.js';

/** Inserts one row into each table of a user's archived data. */
export async function insertArchivedRows({ pool }: Pick<TestDatabase, 'pool'>, userKey: number): Promise<void> {
  await pool.query("insert into user_archive (user_key, archived_before) values ($1, '2026-03-11')", [userKey]);
  await pool.query(
    `insert into day_archive (user_key, type_id, local_date, source_id, sample_sum, sample_min, sample_max, last_value,
                              last_at, sample_count, minutes)
     values ($1, 1, '2026-03-10', 1, 50, 50, 50, 50, now(), 1, repeat('0', 1440)::bit(1440))`,
    [userKey],
  );
  await pool.query(
    `insert into archived_minute (user_key, type_id, utc_date, source_id, minutes)
     values ($1, 1, '2026-03-10', 1, repeat('0', 1440)::bit(1440))`,
    [userKey],
  );
  await pool.query(
    "insert into merged_archive (user_key, type_id, local_date, source_id, amount) values ($1, 1, '2026-03-10', 1, 5)",
    [userKey],
  );
  await pool.query(
    `insert into night_archive (user_key, wake_date, night_source_id, type_id, source_id, asleep_count, asleep_sum,
                                window_count, window_sum)
     values ($1, '2026-03-10', 1, 1, 1, 1, 50, 1, 50)`,
    [userKey],
  );
  await pool.query(
    `insert into night_source (user_key, wake_date, figure_group, source_id) values ($1, '2026-03-10', 'sleep', 1)`,
    [userKey],
  );
}
