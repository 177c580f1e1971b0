import type { HealthRecord } from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { GARMIN, PHONE, sample, WATCH } from '../../../../test/support/records.js';
import { readDataGaps } from './data-gaps.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

const steps = (day: number, source = WATCH) => sample('steps', `${date(day)}T08:00:00Z`, 100, { source });

async function gapsOf(records: HealthRecord[], start?: string, end?: string) {
  const user = await recordedUser(database, ...records);
  const moment = (text: string | undefined) => (text === undefined ? undefined : parseMoment(text));
  return (await readDataGaps(database.pool, user, { start: moment(start), end: moment(end) })).items;
}

const date = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;
const days = (first: number, last = first) => ({ first_date: date(first), last_date: date(last) });

const item = (facts: Record<string, unknown>) => ({
  provider: 'apple',
  connection_status: null,
  data_type: 'steps',
  days_missing: 0,
  missing: [],
  ...facts,
});

describe('data gaps', () => {
  it('reports missing days of a type recorded on most days', async () => {
    const dates = [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15];
    expect(await gapsOf(dates.map((day) => steps(day)))).toEqual([
      item({
        first_date: '2026-03-01',
        last_date: '2026-03-15',
        days_received: 13,
        received: [days(1, 4), days(6, 9), days(11, 15)],
        days_empty: 2,
        delivers_daily: true,
        days_missing: 2,
        missing: [
          { first_date: '2026-03-05', last_date: '2026-03-05' },
          { first_date: '2026-03-10', last_date: '2026-03-10' },
        ],
      }),
    ]);
  });

  it.each([
    ['arrives on fewer days', [1, 2, 3, 5, 6, 7, 9, 11, 12], false, 3],
    ['arrives on four of five days', [1, 2, 3, 4, 6, 7, 8, 10], true, 2],
    ['is known for less than a week', [1, 2, 3, 4, 6], false, 1],
    ['arrives every day', [1, 2, 3, 4, 5, 6, 7], true, 0],
  ])('reports missing days only for daily types: a type that %s', async (_, days, daily, empty) => {
    const [found] = await gapsOf(days.map((day) => steps(day)));
    expect(found).toMatchObject({
      delivers_daily: daily,
      days_received: days.length,
      days_empty: empty,
      days_missing: daily ? empty : 0,
    });
  });

  it('reports each provider and data type once for all devices', async () => {
    const night: HealthRecord = {
      kind: 'sleep_session',
      source: GARMIN,
      isNap: false,
      startMs: Date.parse('2026-03-01T22:00:00Z'),
      endMs: Date.parse('2026-03-02T06:00:00Z'),
    };
    const found = await gapsOf([steps(1), steps(2, PHONE), steps(1, GARMIN), night]);
    const shown = found.map(({ provider, data_type, days_received, days_empty }) => [
      provider,
      data_type,
      days_received,
      days_empty,
    ]);
    expect(shown).toEqual([
      ['apple', 'steps', 2, 0],
      ['garmin', 'sleep', 1, 0],
      ['garmin', 'steps', 1, 0],
    ]);
  });

  it('reports an open gap until two days ago for an active connection', async () => {
    const week = [1, 2, 3, 4, 5, 6, 7];
    const user = await recordedUser(database, ...week.map((day) => steps(day)), steps(7, GARMIN));
    const read = async (end?: string) => {
      const bounds = end === undefined ? {} : { end: parseMoment(end) };
      const nowMs = Date.parse('2026-03-12T01:00:00Z');
      return (await readDataGaps(database.pool, user, { ...bounds, nowMs })).items[0];
    };
    expect(await read()).toMatchObject({ connection_status: null, days_missing: 0 });
    await database.pool.query(`insert into connection (user_key, provider) values ($1, 'apple')`, [user.userKey]);
    const missing = (last_date: string) => [{ first_date: '2026-03-08', last_date }];
    expect(await read()).toMatchObject({
      connection_status: 'active',
      last_date: '2026-03-07',
      days_received: 7,
      days_empty: 3,
      days_missing: 3,
      missing: missing('2026-03-10'),
    });
    expect(await read('2026-03-10')).toMatchObject({ days_missing: 2, missing: missing('2026-03-09') });
    expect(await read('2026-03-08')).toMatchObject({ days_missing: 0, missing: [] });
    await database.pool.query(`update connection set status = 'revoked' where user_key = $1`, [user.userKey]);
    expect(await read()).toMatchObject({ connection_status: 'revoked', days_missing: 0, missing: [] });
  });

  it('returns the archival date if samples are archived', async () => {
    const user = await recordedUser(database, steps(1));
    const read = async () => (await readDataGaps(database.pool, user, {})).archived_before;
    expect(await read()).toBeNull();
    await database.pool.query(`insert into user_archive (user_key, archived_before) values ($1, '2026-03-01')`, [
      user.userKey,
    ]);
    expect(await read()).toBe('2026-03-01');
  });

  it('ignores gaps outside the bounds', async () => {
    const records = [1, 2, 3, 20].map((day) => steps(day));
    expect(await gapsOf(records, '2026-03-02', '2026-03-20')).toEqual([
      item({
        first_date: '2026-03-02',
        last_date: '2026-03-03',
        days_received: 2,
        received: [days(2, 3)],
        days_empty: 0,
        delivers_daily: false,
      }),
    ]);
    expect(await gapsOf(records, '2026-03-05', '2026-03-10')).toEqual([]);
  });
});
