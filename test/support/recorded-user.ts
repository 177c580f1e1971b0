import { createRecordWriter } from '@healthd/daemon/records';
import { batchOf, type HealthRecord } from '@healthd/model';
import type { TestDatabase } from './postgres.js';

/** Stores records of one user as the service does. */
export async function writeRecords(
  { pool }: Pick<TestDatabase, 'pool'>,
  userKey: number,
  records: readonly HealthRecord[],
): Promise<void> {
  await createRecordWriter(pool, { sleepEndGapMinutes: 120 }).write(userKey, batchOf(records));
}

/** A new user who has these records. */
export async function recordedUser(
  database: Pick<TestDatabase, 'pool'>,
  ...records: HealthRecord[]
): Promise<{ id: string; userKey: number }> {
  const { rows } = await database.pool.query<{ id: string; user_key: number }>(
    'insert into health_user (id) values (gen_random_uuid()) returning id, user_key',
  );
  const row = rows[0];
  if (!row) throw new Error('no user was made');
  await writeRecords(database, row.user_key, records);
  return { id: row.id, userKey: row.user_key };
}
