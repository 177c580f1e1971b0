import type { HealthRecord, SleepSessionRecord, SleepStage, SourceIdentity } from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { GARMIN, PHONE, WATCH } from '../../../../test/support/records.js';
import { MAX_COMPARED } from './compared.js';
import { readSleepSessions, type SleepSessionsParams } from './sleep-sessions.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

function stage(name: SleepStage, start: string, end: string, source: SourceIdentity = WATCH): HealthRecord {
  const record = { kind: 'sleep_stage', source, stage: name, offsetMinutes: 60 } as const;
  return { ...record, startMs: Date.parse(start), endMs: Date.parse(end) };
}

function session(start: string, end: string, facts: Partial<SleepSessionRecord> = {}): HealthRecord {
  return { kind: 'sleep_session', source: GARMIN, startMs: Date.parse(start), endMs: Date.parse(end), ...facts };
}

async function sessions(records: HealthRecord[], more: Partial<SleepSessionsParams> = {}) {
  const [start, end] = [parseMoment('2026-03-09'), parseMoment('2026-03-11')];
  if (!start || !end) throw new Error('unreadable test bound');
  const { userKey } = await recordedUser(database, ...records);
  const params = { start, end, limit: 50, filterByPriority: false, ...more };
  return readSleepSessions(database, userKey, params);
}

const night = (source: SourceIdentity) => [
  stage('light', '2026-03-09T22:00:00Z', '2026-03-10T02:00:00Z', source),
  stage('awake', '2026-03-10T02:00:00Z', '2026-03-10T02:10:00Z', source),
  stage('deep', '2026-03-10T02:10:00Z', '2026-03-10T06:00:00Z', source),
];

describe('listing one night', () => {
  it('shows stages and minutes of an assembled night', async () => {
    const { data, pagination } = await sessions(night(WATCH));
    expect(pagination.total_count).toBe(1);
    expect(data[0]).toMatchObject({
      start_time: '2026-03-09T22:00:00Z',
      end_time: '2026-03-10T06:00:00Z',
      zone_offset: '+01:00',
      duration_seconds: 28_800,
      sleep_duration_seconds: 28_200,
      stages: { awake_minutes: 10, light_minutes: 240, deep_minutes: 230, rem_minutes: 0 },
      sleep_stage_intervals: [
        { stage: 'light', start_time: '2026-03-09T22:00:00Z', end_time: '2026-03-10T02:00:00Z' },
        { stage: 'awake', start_time: '2026-03-10T02:00:00Z', end_time: '2026-03-10T02:10:00Z' },
        { stage: 'deep', start_time: '2026-03-10T02:10:00Z', end_time: '2026-03-10T06:00:00Z' },
      ],
      is_nap: false,
    });
  });

  it('shows the vendor’s figures of a night and null for missing figures', async () => {
    const facts = { asleepSeconds: 25_200, efficiencyPercent: 87.5, isNap: false };
    const { data } = await sessions([session('2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z', facts)]);
    expect(data[0]).toMatchObject({
      sleep_duration_seconds: 25_200,
      efficiency_percent: 87.5,
      stages: null,
      sleep_stage_intervals: null,
      zone_offset: null,
    });
  });
});

describe('a list of nights', () => {
  it('lists all sessions, or only the sessions that the summary counts', async () => {
    const records = [
      ...night(WATCH),
      ...night(PHONE),
      session('2026-03-09T22:30:00Z', '2026-03-10T05:30:00Z', { isNap: false }),
      session('2026-03-10T22:30:00Z', '2026-03-11T05:30:00Z', { isNap: false }),
    ];
    const all = await sessions(records);
    expect(all.data.map(({ source }) => source.device)).toHaveLength(4);
    const best = await sessions(records, { filterByPriority: true });
    expect(best.data.map(({ source, start_time }) => [source.device, start_time])).toEqual([
      ['Garmin fenix 7', '2026-03-10T22:30:00Z'],
      ['Watch6,2', '2026-03-09T22:00:00Z'],
    ]);
    expect(best.pagination.total_count).toBe(2);
  });

  it('shows a night of one source and naps of another source', async () => {
    const nap = session('2026-03-10T13:00:00Z', '2026-03-10T13:30:00Z', { source: WATCH, isNap: true });
    const slept = session('2026-03-09T22:30:00Z', '2026-03-10T05:30:00Z', { isNap: false });
    const best = await sessions([nap, slept], { filterByPriority: true });
    expect(best.data.map(({ source }) => source.device)).toEqual(['Watch6,2', 'Garmin fenix 7']);
  });

  it('skips a watch that died early in the night', async () => {
    const died = session('2026-03-09T22:00:00Z', '2026-03-10T01:00:00Z', { source: WATCH, isNap: false });
    const slept = session('2026-03-09T22:30:00Z', '2026-03-10T05:30:00Z', { isNap: false });
    const best = await sessions([died, slept], { filterByPriority: true });
    expect(best.data.map(({ source }) => source.device)).toEqual(['Garmin fenix 7']);
  });

  it('pages through the selected sessions in both directions', async () => {
    const records = [1, 2, 3, 4].flatMap((day) =>
      [WATCH, PHONE].map((source) =>
        session(`2026-03-0${day + 5}T22:00:00Z`, `2026-03-${String(day + 6).padStart(2, '0')}T06:00:00Z`, {
          source,
          isNap: false,
        }),
      ),
    );
    const { userKey } = await recordedUser(database, ...records);
    const [start, end] = [parseMoment('2026-03-01')!, parseMoment('2026-03-31')!];
    const page = (cursor?: string) =>
      readSleepSessions(database, userKey, { start, end, limit: 3, filterByPriority: true, cursor });
    const first = await page();
    const second = await page(first.pagination.next_cursor ?? '');
    expect([first.data.length, second.data.length, second.pagination.total_count]).toEqual([3, 1, 4]);
    expect([...first.data, ...second.data].every(({ source }) => source.device === 'Watch6,2')).toBe(true);
    expect((await page(second.pagination.previous_cursor ?? '')).data).toEqual(first.data);
  });
});

describe('a range with many sessions to compare', () => {
  const manySessions = async (count: number) => {
    const { userKey } = await recordedUser(database, session('2026-03-10T22:00:00Z', '2026-03-10T23:00:00Z'));
    await database.pool.query(
      `insert into sleep_session (user_key, source_id, assembled, start_at, end_at, wake_date, is_nap)
       select n.user_key, n.source_id, false, n.start_at - i * interval '1 second', n.end_at, n.wake_date, n.is_nap
         from sleep_session n, generate_series(1, $2::int) i where n.user_key = $1`,
      [userKey, count - 1],
    );
    const [start, end] = [parseMoment('2026-03-09')!, parseMoment('2026-03-12')!];
    return (filterByPriority: boolean) =>
      readSleepSessions(database, userKey, { start, end, limit: 1, filterByPriority });
  };

  it('is rejected above the limit if only counted sessions are requested', async () => {
    const list = await manySessions(MAX_COMPARED + 1);
    await expect(list(true)).rejects.toMatchObject({
      code: 'unprocessable',
      options: { problems: [{ loc: ['query', 'end_date'] }] },
    });
    expect((await list(false)).pagination.total_count).toBe(MAX_COMPARED + 1);
  });

  it('is accepted with exactly the maximum number of sessions', async () => {
    const list = await manySessions(MAX_COMPARED);
    expect((await list(true)).data).toHaveLength(1);
  });
});
