import { batchOf, type HealthRecord } from '@healthd/model';
import { createTestDatabase } from './postgres.js';
import { newUser, recordWriter } from './recorded-user.js';

/** Opens the record writer on a separate database. Users are identified by key. */
export async function openRecordFixture() {
  const database = await createTestDatabase();
  const { pool, url } = database;
  const writer = recordWriter(database);
  return {
    pool,
    url,
    writer,
    newUser: async () => (await newUser(database)).userKey,
    write: (userKey: number, ...records: HealthRecord[]) => writer.write(userKey, batchOf(records)),
    close: () => database.drop(),
  };
}

export type RecordFixture = Awaited<ReturnType<typeof openRecordFixture>>;
