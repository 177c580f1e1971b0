import {
  batchOf,
  type HealthRecord,
  type SleepStageRecord,
  type SourceIdentity,
  type WorkoutRecord,
} from '@healthd/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertArchivedRows } from '../../../test/support/archived-rows.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { createRecordWriter, type RecordWriter } from './index.js';

const WATCH: SourceIdentity = { provider: 'apple', deviceModel: 'Watch6,2', deviceType: 'watch' };

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

function write(...records: HealthRecord[]) {
  return writer.write(user, batchOf(records));
}

function stage(
  name: SleepStageRecord['stage'],
  from: string,
  to: string,
  more: Partial<SleepStageRecord> = {},
): SleepStageRecord {
  return {
    kind: 'sleep_stage',
    source: WATCH,
    stage: name,
    startMs: Date.parse(from),
    endMs: Date.parse(to),
    offsetMinutes: 0,
    ...more,
  };
}

function run(more: Partial<WorkoutRecord> = {}): WorkoutRecord {
  return {
    kind: 'workout',
    source: WATCH,
    type: 'running',
    startMs: Date.parse('2026-03-10T17:00Z'),
    endMs: Date.parse('2026-03-10T18:00Z'),
    offsetMinutes: 60,
    distanceMeters: 10_000,
    ...more,
  };
}

describe('erasing a user', () => {
  it('leaves no row in any table that has a user_key', async () => {
    await write(
      run(),
      stage('light', '2026-03-09T23:00Z', '2026-03-10T06:00Z'),
      { kind: 'personal', gender: 'other' },
      { kind: 'health_score', source: WATCH, category: 'sleep', atMs: Date.parse('2026-03-10T06:00Z'), value: 1 },
      { kind: 'menstrual_cycle', source: WATCH, startMs: 0, endMs: 86_400_000, details: { dayInCycle: 1 } },
      {
        kind: 'sample',
        source: WATCH,
        typeId: 1,
        startMs: Date.parse('2026-03-10T01:00Z'),
        value: 50,
        sampleKind: 'sample',
      },
    );
    await database.pool.query(
      `insert into day_merged (user_key, type_id, local_date, provider, device_order, total)
       values ($1, 1, '2026-03-10', 'apple', 0, 1)`,
      [user],
    );
    await insertArchivedRows(database, user);
    const tables = await database.pool.query<{ table_name: string }>(
      `select table_name from information_schema.columns
        where table_schema = 'public' and column_name = 'user_key' and table_name <> 'health_user'`,
    );
    const filled = async () => {
      const counts = await Promise.all(
        tables.rows.map(async ({ table_name }) => {
          const { rowCount } = await database.pool.query(`select 1 from ${table_name} where user_key = $1`, [user]);
          return rowCount === 0 ? [] : [table_name];
        }),
      );
      return counts.flat().sort();
    };
    expect(await filled()).toEqual([
      'archived_minute',
      'data_source',
      'day_archive',
      'day_merged',
      'day_minutes',
      'day_value',
      'health_score',
      'menstrual_cycle',
      'merged_archive',
      'night_archive',
      'night_value',
      'offset_day',
      'personal_record',
      'sample',
      'sleep_session',
      'sleep_stage',
      'user_archive',
      'workout',
    ]);
    const client = await database.pool.connect();
    await writer.eraseUserData(client, user);
    client.release();
    expect(await filled()).toEqual([]);
  });
});
