import { batchOf, type HealthRecord, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { createRecordWriter, type RecordWriter } from './index.js';

const WATCH: SourceIdentity = { provider: 'apple', deviceModel: 'Watch6,2', deviceType: 'watch' };
const PHONE: SourceIdentity = { provider: 'apple', deviceModel: 'iPhone15,2', deviceType: 'phone' };

let database: TestDatabase;
let writer: RecordWriter;
let user: number;

beforeAll(async () => {
  database = await createTestDatabase();
  writer = createRecordWriter(database.pool, { sleepEndGapMinutes: 120 });
});

beforeEach(async () => {
  user = await createUser();
});

afterAll(async () => database.drop());

async function createUser(): Promise<number> {
  const { rows } = await database.pool.query(
    'insert into health_user (id) values (gen_random_uuid()) returning user_key',
  );
  return rows[0].user_key;
}

describe('two writers of one user at the same time', () => {
  it('lose no sample and no roll-up, and wait for each other instead of failing', async () => {
    const batch = (from: number) =>
      batchOf(
        Array.from({ length: 60 }, (_, index): HealthRecord => {
          const source = index % 2 === 0 ? WATCH : PHONE;
          const startMs = Date.parse('2026-03-10T08:00Z') + (from * 60 + index) * 60_000;
          return { kind: 'sample', source, typeId: 80, startMs, value: 1, sampleKind: 'sample', offsetMinutes: 0 };
        }),
      );
    await Promise.all(Array.from({ length: 12 }, (_, index) => writer.write(user, batch(index))));
    const { rows } = await database.pool.query(
      'select sum(sample_sum) as steps, sum(covered_minutes)::int as minutes from day_value where user_key = $1',
      [user],
    );
    expect(rows).toEqual([{ steps: 720, minutes: 720 }]);
  });
});
