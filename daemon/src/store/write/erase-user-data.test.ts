import { MS_PER_DAY } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertArchivedRows } from '../../../../test/support/archived-rows.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { run, sleepStage, WATCH } from '../../../../test/support/records.js';
import { eraseHealthData } from './erase-user-data.js';

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

describe('erasing a user', () => {
  it("deletes the user's rows from every data table with a user_key", async () => {
    const user = await fixture.newUser();
    await fixture.write(
      user,
      run(),
      sleepStage('light', '2026-03-09T23:00Z', '2026-03-10T06:00Z'),
      { kind: 'personal', gender: 'other' },
      { kind: 'health_score', source: WATCH, category: 'sleep', atMs: Date.parse('2026-03-10T06:00Z'), value: 1 },
      { kind: 'menstrual_cycle', source: WATCH, startMs: 0, endMs: MS_PER_DAY, details: { dayInCycle: 1 } },
      {
        kind: 'sample',
        source: WATCH,
        typeId: 1,
        startMs: Date.parse('2026-03-10T01:00Z'),
        value: 50,
        extremes: { minimum: 48, maximum: 60 },
        sampleKind: 'sample',
      },
    );
    await fixture.pool.query(
      `insert into day_merged (user_key, type_id, local_date, provider, device_order, total)
       values ($1, 1, '2026-03-10', 'apple', 0, 1)`,
      [user],
    );
    await insertArchivedRows(fixture, user);
    const nap = sleepStage('light', '2026-03-10T14:00Z', '2026-03-10T14:30Z');
    const { sleepSessionIds } = await fixture.write(user, nap);
    await fixture.writer.deleteSession(user, 'sleep_session', sleepSessionIds.inserted[0] ?? '');
    await fixture.pool.query(
      "insert into source_alias (user_key, provider, writer, named_writer) values ($1, 'apple', 'com.example.app', 'Example')",
      [user],
    );
    await fixture.pool.query("insert into push_device (user_key, device, provider, name) values ($1, 0, 'apple', '')", [
      user,
    ]);
    await fixture.pool.query(
      `insert into pushed_sample (user_key, id_hash, start_at, source_id, slot, type_id, device)
       values ($1, 1, now(), 1, 1, 1, 0)`,
      [user],
    );
    await fixture.pool.query(
      `insert into pushed_tombstone (user_key, id_hash, content, start_at, source_id, type_id, provider)
       values ($1, 1, 0, now(), 0, 0, 'apple')`,
      [user],
    );
    await fixture.pool.query(
      `insert into pushed_range (user_key, provider, source_id, type_id, start_at, end_at, received_at)
       values ($1, 'apple', 1, 1, now(), now(), now())`,
      [user],
    );
    await fixture.pool.query("insert into pending_repair (user_key, repair) values ($1, 'judge_naps')", [user]);
    const tables = await fixture.pool.query<{ table_name: string }>(
      `select table_name from information_schema.columns
        where table_schema = 'public' and column_name = 'user_key' and table_name <> 'health_user'`,
    );
    const filled = async () => {
      const counts = await Promise.all(
        tables.rows.map(async ({ table_name }) => {
          const { rowCount } = await fixture.pool.query(`select 1 from ${table_name} where user_key = $1`, [user]);
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
      'night_source',
      'night_value',
      'offset_day',
      'pending_repair',
      'personal_record',
      'push_device',
      'pushed_range',
      'pushed_sample',
      'pushed_tombstone',
      'sample',
      'sample_extremes',
      'session_tombstone',
      'sleep_session',
      'sleep_stage',
      'source_alias',
      'user_archive',
      'user_state',
      'workout',
    ]);
    const client = await fixture.pool.connect();
    await eraseHealthData(client, user);
    client.release();
    // `user_state` is the user's lock. It is erased with the feed's changes.
    expect(await filled()).toEqual(['user_state']);
  });
});
