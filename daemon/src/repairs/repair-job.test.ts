import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import { samplesEvery, sleepStage } from '../../../test/support/records.js';
import { inTransaction } from '../platform/database/index.js';
import type { JobContext } from '../platform/jobs/index.js';
import { requestRedating } from '../store/facts/index.js';
import { repairJob, repairProgress, repairSweeper } from './index.js';

let fixture: RecordFixture;
beforeEach(async () => {
  fixture = await openRecordFixture();
});
afterEach(() => fixture.close());

/** Returns a user whose nap is stored as a night, as earlier versions did. */
async function userWithLostNap(): Promise<number> {
  const user = await fixture.newUser();
  await fixture.write(
    user,
    sleepStage('light', '2026-11-01T23:00Z', '2026-11-02T06:00Z'),
    sleepStage('light', '2026-11-02T14:00Z', '2026-11-02T14:30Z'),
    ...samplesEvery('heart_rate', '2026-11-02T00:00Z', 60, [50, 50, 50]),
    ...samplesEvery('heart_rate', '2026-11-02T14:10Z', 10, [90]),
  );
  await fixture.pool.query('update sleep_session set is_nap = false where user_key = $1', [user]);
  await fixture.pool.query('update night_value set window_count = 4, window_sum = 240 where user_key = $1', [user]);
  return user;
}

/** Queues the repair as the upgrade does. */
async function upgrade(): Promise<void> {
  await fixture.pool.query(
    "insert into pending_repair (user_key, repair) select user_key, 'judge_naps' from health_user",
  );
}

/** Makes every update of the user's sleep fail. */
async function refuseSleepOf(user: number): Promise<void> {
  await fixture.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
  );
  await fixture.pool.query(
    `create trigger refuse before update on sleep_session for each row when (new.user_key = ${user}) execute function refuse()`,
  );
}

/** Lets updates succeed again, and makes failed repairs due. */
async function acceptSleep(): Promise<void> {
  await fixture.pool.query('drop trigger refuse on sleep_session');
  await fixture.pool.query("update pending_repair set retry_at = retry_at - interval '15 minutes'");
}

const logged: object[] = [];
function context(signal = new AbortController().signal): JobContext {
  const note = (fields: object) => void logged.push(fields);
  const log = { debug: () => undefined, info: note, warn: note, error: note };
  return { signal, attempt: 1, touch: async () => undefined, again: async () => true, log };
}

const naps = async (user: number) =>
  (await fixture.pool.query('select is_nap from sleep_session where user_key = $1 order by start_at', [user])).rows.map(
    (row) => row.is_nap,
  );
const pending = async () =>
  (await fixture.pool.query<{ user_key: number }>('select user_key from pending_repair order by 1')).rows.map(
    (row) => row.user_key,
  );

test('corrects naps that were stored as nights, including nightly averages', async () => {
  const users = [await userWithLostNap(), await userWithLostNap()];
  await upgrade();
  const sweeper = repairSweeper(fixture);
  expect(sweeper.name).toBe(repairJob(fixture).name);
  expect(await sweeper.findUnqueued(10)).toEqual([{}]);
  logged.length = 0;
  await repairJob(fixture).run({}, context());
  for (const user of users) {
    expect(await naps(user)).toEqual([false, true]);
    const nights = await fixture.pool.query('select window_count, window_sum from night_value where user_key = $1', [
      user,
    ]);
    expect(nights.rows).toEqual([{ window_count: 3, window_sum: 150 }]);
  }
  expect(logged).toEqual([{ event: 'stored_data_repaired', users: 2, correctedRows: 2, failedUsers: 0 }]);
  expect(await sweeper.findUnqueued(10)).toEqual([]);
});

test('restores nights whose stages are in no session', async () => {
  const user = await fixture.newUser();
  const stage = (from: string, to: string) => sleepStage('light', from, to, { sessionId: 'X' });
  await fixture.write(
    user,
    stage('2026-11-01T23:00Z', '2026-11-02T06:00Z'),
    stage('2026-11-03T14:00Z', '2026-11-03T15:00Z'),
    sleepStage('light', '2026-11-04T23:00Z', '2026-11-05T06:00Z', { sessionId: 'Y' }),
    ...samplesEvery('heart_rate', '2026-11-02T00:00Z', 60, [50, 52]),
  );
  const rowsOf = async (table: string, columns: string) =>
    (await fixture.pool.query(`select ${columns} from ${table} where user_key = $1 order by 1, 2`, [user])).rows;
  const stored = async () => ({
    sessions: await rowsOf('sleep_session', 'start_at, end_at, wake_date::text, is_nap'),
    nights: await rowsOf('night_value', 'wake_date::text, type_id, asleep_count, asleep_sum'),
  });
  const before = await stored();
  expect([before.sessions.length, before.nights.length]).toEqual([3, 1]);
  await fixture.pool.query("delete from sleep_session where user_key = $1 and external_id = 'X'", [user]);
  await fixture.pool.query('delete from night_value where user_key = $1', [user]);
  await fixture.pool.query("insert into pending_repair (user_key, repair) values ($1, 'lost_nights')", [user]);
  logged.length = 0;
  await repairJob(fixture).run({}, context());
  expect(await stored()).toEqual(before);
  expect(logged).toEqual([{ event: 'stored_data_repaired', users: 1, correctedRows: 2, failedUsers: 0 }]);
  expect(await pending()).toEqual([]);
});

test('restores nights of several sources at the end of a chunk', async () => {
  const user = await fixture.newUser();
  const at = (second: number) => new Date(Date.parse('2026-11-01T22:00Z') + second * 1000).toISOString();
  const first = { provider: 'apple', writer: 'first' } as const;
  await fixture.write(
    user,
    ...Array.from({ length: 999 }, (_, n) =>
      sleepStage('light', at(n * 20), at(n * 20 + 20), { sessionId: 'X', source: first }),
    ),
    ...['second', 'third', 'fourth'].map((writer) =>
      sleepStage('light', at(19_980), at(23_580), { sessionId: writer, source: { provider: 'apple', writer } }),
    ),
  );
  const sessions = async () =>
    (await fixture.pool.query('select from sleep_session where user_key = $1', [user])).rowCount;
  expect(await sessions()).toBe(4);
  await fixture.pool.query('delete from sleep_session where user_key = $1', [user]);
  await fixture.pool.query("insert into pending_repair (user_key, repair) values ($1, 'lost_nights')", [user]);
  await repairJob(fixture).run({}, context());
  expect(await sessions()).toBe(4);
});

test('splits sessions that a mistimed stage extended', async () => {
  const user = await fixture.newUser();
  const stage = (from: string, to: string) => sleepStage('light', from, to, { sessionId: 'X' });
  await fixture.write(
    user,
    stage('2026-11-01T23:00Z', '2026-11-02T06:00Z'),
    stage('2026-11-02T20:00Z', '2026-11-02T20:30Z'),
  );
  const stored = async () =>
    (
      await fixture.pool.query(
        'select start_at, end_at, wake_date::text, is_nap from sleep_session where user_key = $1 order by start_at',
        [user],
      )
    ).rows;
  const before = await stored();
  expect(before.length).toBe(2);
  await fixture.pool.query("delete from sleep_session where user_key = $1 and start_at > '2026-11-02T12:00Z'", [user]);
  await fixture.pool.query("update sleep_session set end_at = '2026-11-02T20:30Z' where user_key = $1", [user]);
  await fixture.pool.query("insert into pending_repair (user_key, repair) values ($1, 'lost_nights')", [user]);
  await repairJob(fixture).run({}, context());
  expect(await stored()).toEqual(before);
  expect(await pending()).toEqual([]);
});

test('reports repaired and failed users until the repair ends', async () => {
  expect(await repairProgress(fixture.pool)).toEqual([]);
  await userWithLostNap();
  const broken = await userWithLostNap();
  await upgrade();
  const waiting = { name: 'judge_naps', title: 'Classifying naps', users_total: 2, users_failed: 0 };
  const notStarted = { started_at: null, finished_at: null };
  expect(await repairProgress(fixture.pool)).toEqual([{ ...waiting, users_done: 0, ...notStarted }]);
  await refuseSleepOf(broken);
  await repairJob(fixture).run({}, context());
  const started = { ...waiting, users_done: 1, started_at: expect.any(String) };
  expect(await repairProgress(fixture.pool)).toEqual([{ ...started, users_failed: 1, finished_at: null }]);
  await acceptSleep();
  await repairJob(fixture).run({}, context());
  expect(await repairProgress(fixture.pool)).toEqual([{ ...started, users_done: 2, finished_at: expect.any(String) }]);
  await upgrade();
  expect(await repairProgress(fixture.pool)).toEqual([{ ...waiting, users_done: 0, ...notStarted }]);
  await repairJob(fixture).run({}, context());
  expect(await repairProgress(fixture.pool)).toMatchObject([{ users_done: 2, users_total: 2 }]);
});

test('reports the end of a repair whose last pending user was erased', async () => {
  await userWithLostNap();
  const broken = await userWithLostNap();
  await upgrade();
  await refuseSleepOf(broken);
  await repairJob(fixture).run({}, context());
  await fixture.pool.query('delete from pending_repair where user_key = $1', [broken]);
  expect(await repairProgress(fixture.pool)).toMatchObject([
    { users_done: 1, users_total: 1, finished_at: expect.any(String) },
  ]);
});

test('resumes with the next user after a stop', async () => {
  const [first, second] = [await userWithLostNap(), await userWithLostNap()];
  await upgrade();
  const stop = new AbortController();
  const client = await fixture.pool.connect();
  await client.query('begin');
  await client.query('select from user_state where user_key = $1 for update', [first]);
  const stopped = repairJob(fixture).run({}, context(stop.signal));
  const outcome = expect(stopped).rejects.toThrow('the process ends');
  await vi.waitFor(async () => {
    const { rowCount } = await fixture.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rowCount).toBe(1);
  });
  stop.abort(new Error('the process ends'));
  await client.query('commit');
  client.release();
  await outcome;
  expect([await naps(first), await naps(second), await pending()]).toEqual([[false, true], [false, false], [second]]);
  await repairJob(fixture).run({}, context());
  expect([await naps(first), await naps(second), await pending()]).toEqual([[false, true], [false, true], []]);
});

test('delays the repair of a failing user without blocking other users', async () => {
  const [broken, sound] = [await userWithLostNap(), await userWithLostNap()];
  await upgrade();
  await refuseSleepOf(broken);
  logged.length = 0;
  await repairJob(fixture).run({}, context());
  expect([await naps(broken), await naps(sound)]).toEqual([
    [false, false],
    [false, true],
  ]);
  expect(logged).toMatchObject([
    { event: 'repair_failed', user_key: broken, repair: 'judge_naps' },
    { users: 1, failedUsers: 1 },
  ]);
  expect(await repairSweeper(fixture).findUnqueued(10)).toEqual([]);
  await acceptSleep();
  await repairJob(fixture).run({}, context());
  expect([await naps(broken), await pending()]).toEqual([[false, true], []]);
});

test('restarts the batched date repair on a new request', async () => {
  const user = await fixture.newUser();
  const days = ['2026-01-10', '2026-04-10', '2026-07-10'];
  await fixture.write(user, ...days.flatMap((day) => samplesEvery('steps', `${day}T02:00:00Z`, 0, [10])));
  await fixture.write(
    user,
    sleepStage('light', '2026-04-10T01:00Z', '2026-04-10T02:30Z', { offsetMinutes: undefined }),
  );
  const dates = async () =>
    (
      await fixture.pool.query(
        `select local_date::text as date from day_value where user_key = $1 and type_id <> 0
          union all select wake_date::text from sleep_session where user_key = $1 order by 1`,
        [user],
      )
    ).rows.map(({ date }) => date);
  expect(await dates()).toEqual(['2026-01-10', '2026-04-10', '2026-04-10', '2026-07-10']);
  const setZone = (zone: string) =>
    fixture.pool.query('update health_user set time_zone = $2 where user_key = $1', [user, zone]);
  await setZone('America/New_York');
  await inTransaction(fixture.pool, (client) => requestRedating(client, user));
  await inTransaction(fixture.pool, async (client) => {
    const { resumeAt } = await fixture.writer.redateItems(client, user);
    await client.query('update pending_repair set resume_at = $2 where user_key = $1', [user, resumeAt]);
  });
  expect(await dates()).toEqual(['2026-01-09', '2026-04-10', '2026-04-10', '2026-07-10']);
  logged.length = 0;
  await repairJob(fixture).run({}, context());
  expect(await dates()).toEqual(['2026-01-09', '2026-04-09', '2026-04-09', '2026-07-09']);
  expect([await pending(), logged]).toMatchObject([[], [{ users: 1, correctedRows: 1, failedUsers: 0 }]]);
  await inTransaction(fixture.pool, async (client) => {
    await requestRedating(client, user);
    await client.query("update pending_repair set resume_at = '2026-06-01Z' where user_key = $1", [user]);
  });
  await setZone('Asia/Tokyo');
  await inTransaction(fixture.pool, (client) => requestRedating(client, user));
  await repairJob(fixture).run({}, context());
  expect(await dates()).toEqual(['2026-01-10', '2026-04-10', '2026-04-10', '2026-07-10']);
});
