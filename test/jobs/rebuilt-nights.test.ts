import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readRecovery, readSleepSummary } from '@healthd/daemon/query';
import { repairJob } from '@healthd/daemon/repairs';
import { fromDayNumber, type HealthRecord, MS_PER_DAY, MS_PER_HOUR, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recordedUser, recordWriter } from '../support/recorded-user.js';
import { GARMIN, sample, WATCH } from '../support/records.js';
import { sourceProgram } from '../support/source-program.js';
import { jobContext } from './repair-context.js';

const program = await sourceProgram(fileURLToPath(new URL('./repair-worker.ts', import.meta.url)));

const OURA: SourceIdentity = { provider: 'oura', deviceModel: 'Oura Ring 4', deviceType: 'ring', account: 'o1' };
const FIRST_MS = Date.parse('2026-01-02T00:00:00Z');
/** Number of nights. One transaction of the repair rebuilds 60 dates, so the repair needs two transactions. */
const NIGHTS = 70;

/** Nights that three sources recorded, with readings of each source in all of them. */
const RECORDS: HealthRecord[] = Array.from({ length: NIGHTS }, (_, night) => {
  const wakeMs = FIRST_MS + night * MS_PER_DAY + 6 * MS_PER_HOUR;
  const at = new Date(wakeMs - 3 * MS_PER_HOUR).toISOString();
  return [WATCH, GARMIN, OURA].flatMap((source, place): HealthRecord[] => [
    {
      kind: 'sleep_session',
      source,
      startMs: wakeMs - (7 - place / 2) * MS_PER_HOUR,
      endMs: wakeMs,
      offsetMinutes: 0,
      isNap: false,
      asleepSeconds: (7 - place / 2) * 3600,
    },
    sample('heart_rate', at, 50 + place + (night % 7), { source, offsetMinutes: 0 }),
    sample('heart_rate_variability_rmssd', at, 30 + place + (night % 5), { source, offsetMinutes: 0 }),
  ]);
}).flat();

let database: TestDatabase;
let user: number;
beforeAll(async () => {
  database = await createTestDatabase();
  user = (await recordedUser(database, ...RECORDS)).userKey;
});
afterAll(() => database.drop());

/** Returns the stored readings of all candidates of a user's nights, with sources by name. */
async function storedNights(userKey: number): Promise<object[]> {
  const { rows } = await database.pool.query(
    `select to_jsonb(v) - array['user_key', 'source_id', 'night_source_id'] as figures, night.provider as night_of, own.provider
       from night_value v
       join data_source night on night.user_key = v.user_key and night.source_id = v.night_source_id
       join data_source own on own.user_key = v.user_key and own.source_id = v.source_id
      where v.user_key = $1
      order by v.wake_date, night.provider, v.type_id, own.provider`,
    [userKey],
  );
  return rows;
}

async function summaries(userKey: number): Promise<object> {
  const range = {
    start: { ms: FIRST_MS, dateOnly: true },
    end: { ms: FIRST_MS + NIGHTS * MS_PER_DAY, dateOnly: true },
    limit: 100,
  };
  const sleep = await readSleepSummary(database, userKey, range);
  return { sleep: sleep.data, recovery: (await readRecovery(database, userKey, range)).data };
}

/** Creates the state after the upgrade: no stored readings of nights, and a pending repair. */
async function upgrade(): Promise<void> {
  await database.pool.query('delete from night_value where user_key = $1', [user]);
  await database.pool.query(`insert into pending_repair (user_key, repair) values ($1, 'night_sources')`, [user]);
}

const pending = async () =>
  (await database.pool.query<{ resume_at: Date | null }>('select resume_at from pending_repair')).rows;

async function repair(): Promise<object[]> {
  const logged: object[] = [];
  await repairJob({ pool: database.pool, writer: recordWriter(database) }).run({}, jobContext(logged));
  return logged;
}

async function expectAsNew(): Promise<void> {
  const { userKey: built } = await recordedUser(database, ...RECORDS.toReversed());
  const nights = await storedNights(user);
  expect(nights).toEqual(await storedNights(built));
  // Each night has three candidates, and each candidate has two series of three sources.
  expect(nights).toHaveLength(NIGHTS * 3 * 3 * 2);
  expect(await summaries(user)).toEqual(await summaries(built));
  expect(await pending()).toEqual([]);
}

test('rebuilds all candidate nights as a new import stores them', async () => {
  const before = await summaries(user);
  await upgrade();
  expect(await summaries(user)).toEqual(before);
  expect(await repair()).toEqual([{ event: 'stored_data_repaired', users: 1, correctedRows: NIGHTS, failedUsers: 0 }]);
  await expectAsNew();
});

test('resumes the repair of a killed process after its committed nights', async () => {
  const before = await summaries(user);
  const [last] = (await storedNights(user)).slice(-1) as { figures: { wake_date: string } }[];
  await upgrade();
  // An uncommitted row of the last night stops the second transaction of the repair.
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query(
    `insert into night_value
     select (jsonb_populate_record(null::night_value, $2::jsonb || jsonb_build_object('user_key', $1::bigint,
       'source_id', s.source_id, 'night_source_id', s.source_id))).*
       from data_source s where s.user_key = $1 and s.provider = 'oura'`,
    [user, JSON.stringify(last?.figures)],
  );
  const worker = spawn(process.execPath, [program], {
    env: { ...process.env, WORKER_POSTGRES: database.url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(worker, 'exit');
  await vi.waitFor(
    async () => {
      const { rowCount } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rowCount).toBe(1);
    },
    { timeout: 60_000, interval: 50 },
  );
  worker.kill('SIGKILL');
  await exited;
  await client.query('rollback');
  client.release();
  const resumeAt = FIRST_MS + 60 * MS_PER_DAY;
  expect(await pending()).toEqual([{ resume_at: new Date(resumeAt) }]);
  const dates = (await storedNights(user)).map((row) => (row as typeof last)?.figures.wake_date);
  expect(new Set(dates).size).toBe(60);
  expect(dates.at(-1)).toBe(fromDayNumber(resumeAt / MS_PER_DAY - 1));
  expect(await summaries(user)).toEqual(before);
  expect(await repair()).toEqual([
    { event: 'stored_data_repaired', users: 1, correctedRows: NIGHTS - 60, failedUsers: 0 },
  ]);
  await expectAsNew();
}, 120_000);
