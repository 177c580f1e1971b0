import { composeRecordWriter } from '@healthd/daemon/record-writer';
import type { RecordWriter } from '@healthd/daemon/store/write';
import { batchOf, type HealthRecord } from '@healthd/model';
import type { TestDatabase } from './postgres.js';

/** A test user with the ID in URLs and the key in tables. */
export interface TestUser {
  id: string;
  userKey: number;
}

/** Writers by pool. A database has only one writer, because a writer has threads. */
const WRITERS = new WeakMap<TestDatabase['pool'], RecordWriter>();

/** Returns a writer that stores records as the service does. */
export function recordWriter({ pool }: Pick<TestDatabase, 'pool'>): RecordWriter {
  let writer = WRITERS.get(pool);
  if (!writer) {
    writer = composeRecordWriter(pool, { sleepEndGapMinutes: 120, storeRoutes: true, decideThreads: 2 });
    WRITERS.set(pool, writer);
  }
  return writer;
}

/** Stores records of one user as the service does. */
export async function writeRecords(
  database: Pick<TestDatabase, 'pool'>,
  userKey: number,
  records: readonly HealthRecord[],
): Promise<void> {
  await recordWriter(database).write(userKey, batchOf(records));
}

/** Creates a new user without data. */
export async function newUser({ pool }: Pick<TestDatabase, 'pool'>): Promise<TestUser> {
  const { rows } = await pool.query<{ id: string; user_key: number }>(
    'insert into health_user (id) values (gen_random_uuid()) returning id, user_key',
  );
  const row = rows[0];
  if (!row) throw new Error('no user was made');
  return { id: row.id, userKey: row.user_key };
}

/** Creates a user with these records. */
export async function recordedUser(
  database: Pick<TestDatabase, 'pool'>,
  ...records: HealthRecord[]
): Promise<TestUser> {
  const user = await newUser(database);
  await writeRecords(database, user.userKey, records);
  return user;
}
