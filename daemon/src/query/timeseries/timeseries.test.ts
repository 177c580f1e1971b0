import type { HealthRecord, SeriesCode } from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser, writeRecords } from '../../../../test/support/recorded-user.js';
import { GARMIN, PHONE, sample, samplesEvery, WATCH } from '../../../../test/support/records.js';
import type { TimeseriesParams } from './prepared-read.js';
import { readTimeseries } from './timeseries.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

function userWith(...records: HealthRecord[]) {
  return recordedUser(database, ...records);
}
type RecordedUser = Awaited<ReturnType<typeof userWith>>;

type More = Partial<Omit<TimeseriesParams, 'start' | 'end' | 'types'>>;

function series(user: RecordedUser, types: SeriesCode[], start: string, end: string, more: More = {}) {
  const [from, to] = [parseMoment(start), parseMoment(end)];
  if (!from || !to) throw new Error('unreadable test bound');
  const defaults = { endName: 'end_time', resolution: 'raw', limit: 50 } as const;
  return readTimeseries(database, user.id, { types, start: from, end: to, ...defaults, ...more });
}

const at = (time: string) => `2026-03-10T${time}Z`;

describe('samples', () => {
  it('lists samples of all sources with unit, offset and daily totals', async () => {
    const user = await userWith(
      sample('steps', at('00:00'), 9000, { kind: 'daily_total', source: GARMIN, offsetMinutes: 60 }),
      sample('steps', at('07:42:30.25'), 63.125, { offsetMinutes: -150 }),
      sample('heart_rate', at('07:42:30.25'), 63.5),
    );
    const { data, metadata, pagination } = await series(user, ['steps', 'heart_rate'], '2026-03-10', '2026-03-10');
    expect(data).toEqual([
      expect.objectContaining({
        timestamp: at('00:00:00'),
        zone_offset: '+01:00',
        type: 'steps',
        value: 9000,
        is_daily_total: true,
        source: {
          provider: 'garmin',
          source: null,
          device: 'Garmin fenix 7',
          device_type: 'watch',
          device_name: 'Garmin fenix 7',
        },
      }),
      expect.objectContaining({
        timestamp: '2026-03-10T07:42:30.250000Z',
        zone_offset: null,
        type: 'heart_rate',
        value: 63.5,
        unit: 'bpm',
        is_daily_total: null,
      }),
      expect.objectContaining({ zone_offset: '-02:30', type: 'steps', value: 63.125, is_daily_total: false }),
    ]);
    expect(data[1]?.source.device_name).toBe('Apple Watch Series 6 44mm (GPS)');
    expect(metadata).toEqual({
      resolution: 'raw',
      sample_count: 3,
      start_time: '2026-03-10T00:00:00Z',
      end_time: '2026-03-10T00:00:00Z',
    });
    expect(pagination.total_count).toBe(3);
  });

  it('includes the whole day of an end date', async () => {
    const user = await userWith(
      sample('steps', at('00:00'), 1),
      sample('steps', at('23:59:59.999'), 2),
      sample('steps', '2026-03-11T00:00:00Z', 4),
    );
    const values = async (start: string, end: string) =>
      (await series(user, ['steps'], start, end)).data.map(({ value }) => value);
    expect(await values('2026-03-10', '2026-03-10')).toEqual([1, 2]);
    expect(await values('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z')).toEqual([1, 2]);
    expect(await values('2026-03-10T00:00:00Z', '2026-03-10T00:00:00Z')).toEqual([]);
    expect(await values('2026-03-10', '2026-03-11')).toEqual([1, 2, 4]);
  });

  it('filters samples by provider or source', async () => {
    const user = await userWith(
      sample('steps', at('08:00'), 1, { source: WATCH }),
      sample('steps', at('08:00'), 2, { source: PHONE }),
      sample('steps', at('08:00'), 3, { source: GARMIN }),
    );
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from data_source where user_key = $1 and device_model = $2',
      [user.userKey, PHONE.deviceModel],
    );
    const read = (more: More) => series(user, ['steps'], '2026-03-10', '2026-03-10', more);
    expect((await read({ provider: 'apple' })).pagination.total_count).toBe(2);
    expect((await read({ provider: 'garmin' })).data.map(({ value }) => value)).toEqual([3]);
    expect((await read({ source: rows[0]?.id })).data.map(({ value }) => value)).toEqual([2]);
    expect((await read({ source: rows[0]?.id, provider: 'garmin' })).data).toEqual([]);
    expect((await read({ provider: 'garmin', resolution: '1hour' })).data.map(({ value }) => value)).toEqual([3]);
  });
});

describe('paging', () => {
  const tied = ['08:00', '08:00:01', '09:00'].flatMap((time) =>
    [WATCH, PHONE, GARMIN].flatMap((source) => [
      sample('heart_rate', at(time), 60, { source }),
      sample('steps', at(time), 10, { source }),
      sample('steps', at(time), 100, { source, kind: 'aggregate' }),
    ]),
  );

  it.each([1, 2, 4, 26, 27, 28])('pages of %i contain every sample once in both directions', async (limit) => {
    const user = await userWith(...tied);
    const read = (cursor?: string) =>
      series(user, ['steps', 'heart_rate'], '2026-03-10', '2026-03-10', { limit, cursor });
    const all = (await series(user, ['steps', 'heart_rate'], '2026-03-10', '2026-03-10')).data;
    expect(all).toHaveLength(27);
    let page = await read();
    const forward = [...page.data];
    while (page.pagination.has_more) {
      page = await read(page.pagination.next_cursor ?? '');
      expect(page.pagination.total_count).toBe(27);
      forward.push(...page.data);
    }
    expect(forward).toEqual(all);
    expect(page.pagination.next_cursor).toBeNull();
    const back = [...page.data];
    while (page.pagination.previous_cursor) {
      page = await read(page.pagination.previous_cursor);
      expect(page.pagination.next_cursor).not.toBeNull();
      back.unshift(...page.data);
    }
    expect(back).toEqual(all);
  });

  it('never repeats or drops samples when older samples arrive', async () => {
    const user = await userWith(...samplesEvery('steps', at('08:00'), 1, [1, 2, 3, 4]));
    const read = (cursor?: string) => series(user, ['steps'], '2026-03-10', '2026-03-10', { limit: 2, cursor });
    const first = await read();
    await writeRecords(database, user.userKey, samplesEvery('steps', at('07:00'), 1, [91, 92]));
    const second = await read(first.pagination.next_cursor ?? '');
    expect(second.data.map(({ value }) => value)).toEqual([3, 4]);
  });

  it('rejects a cursor of another list', async () => {
    const user = await userWith(...samplesEvery('steps', at('08:00'), 1, [1, 2, 3]));
    const other = await userWith(sample('steps', at('08:00'), 1));
    const first = await series(user, ['steps'], '2026-03-10', '2026-03-10', { limit: 1 });
    const cursor = first.pagination.next_cursor ?? '';
    const complaint = { options: { problems: [{ loc: ['query', 'cursor'], type: 'value_error' }] } };
    for (const attempt of [
      () => series(user, ['energy'], '2026-03-10', '2026-03-10', { cursor }),
      () => series(user, ['steps'], '2026-03-10', '2026-03-10', { cursor, resolution: '1min' }),
      () => series(other, ['steps'], '2026-03-10', '2026-03-10', { cursor }),
    ]) {
      await expect(attempt()).rejects.toMatchObject(complaint);
    }
  });
});

describe('buckets', () => {
  it('averages readings in nonempty UTC-aligned buckets', async () => {
    const user = await userWith(
      sample('heart_rate', at('08:02:10'), 70),
      sample('heart_rate', at('08:04:00'), 74),
      sample('heart_rate', at('08:05:00'), 80),
      sample('heart_rate', at('08:09:59'), 84),
      sample('heart_rate', at('08:21:00'), 90),
    );
    const { data, pagination, metadata } = await series(user, ['heart_rate'], at('08:02'), at('09:00'), {
      resolution: '5min',
    });
    expect(data.map(({ timestamp, value }) => [timestamp, value])).toEqual([
      [at('08:00:00'), 72],
      [at('08:05:00'), 82],
      [at('08:20:00'), 90],
    ]);
    expect(pagination.total_count).toBeNull();
    expect(metadata).toMatchObject({ resolution: '5min', sample_count: 3 });
  });

  it('excludes daily totals from sums', async () => {
    const user = await userWith(
      sample('steps', at('00:00'), 9000, { kind: 'daily_total' }),
      sample('steps', at('00:05'), 20),
      sample('steps', at('07:01'), 300),
      sample('steps', at('07:14:59'), 200),
    );
    const { data } = await series(user, ['steps'], '2026-03-10', '2026-03-10', { resolution: '15min' });
    expect(data.map(({ timestamp, value, is_daily_total }) => [timestamp, value, is_daily_total])).toEqual([
      [at('00:00:00'), 20, false],
      [at('07:00:00'), 500, false],
    ]);
  });

  it.each(['1min', '5min', '15min', '1hour'] as const)(
    'keeps daily values of averaged series in buckets of %s',
    async (resolution) => {
      const daily = { kind: 'daily_total', source: GARMIN, offsetMinutes: 60 } as const;
      const user = await userWith(
        sample('resting_heart_rate', '2026-03-09T23:00:00Z', 58, daily),
        sample('resting_heart_rate', '2026-03-10T23:00:00Z', 57, daily),
        sample('vo2_max', '2026-03-09T23:00:00Z', 50, daily),
        sample('weight', '2026-03-09T23:00:00Z', 71.5, daily),
        sample('steps', '2026-03-09T23:00:00Z', 9000, daily),
      );
      const types: SeriesCode[] = ['resting_heart_rate', 'vo2_max', 'weight', 'steps'];
      const { data } = await series(user, types, '2026-03-09', '2026-03-10', { resolution });
      expect(data.map(({ timestamp, type, value, zone_offset }) => [timestamp, type, value, zone_offset])).toEqual([
        ['2026-03-09T23:00:00Z', 'resting_heart_rate', 58, '+01:00'],
        ['2026-03-09T23:00:00Z', 'weight', 71.5, '+01:00'],
        ['2026-03-09T23:00:00Z', 'vo2_max', 50, '+01:00'],
        ['2026-03-10T23:00:00Z', 'resting_heart_rate', 57, '+01:00'],
      ]);
    },
  );

  it('prefers readings to values of the night or day', async () => {
    const user = await userWith(
      sample('resting_heart_rate', at('00:00'), 50, { kind: 'daily_total' }),
      sample('resting_heart_rate', at('00:05'), 55, { kind: 'aggregate' }),
      sample('resting_heart_rate', at('00:10'), 60, { offsetMinutes: 60 }),
      sample('resting_heart_rate', at('00:20'), 62, { offsetMinutes: 60 }),
      sample('resting_heart_rate', at('01:00'), 51, { kind: 'daily_total', source: PHONE }),
      sample('resting_heart_rate', at('01:05'), 56, { kind: 'aggregate', source: PHONE }),
      sample('weight', at('00:30'), 70, { kind: 'daily_total' }),
      sample('weight', at('00:10'), 71),
    );
    const { data } = await series(user, ['resting_heart_rate', 'weight'], '2026-03-10', '2026-03-10', {
      resolution: '1hour',
    });
    expect(data.map(({ timestamp, type, value, zone_offset }) => [timestamp, type, value, zone_offset])).toEqual([
      [at('00:00:00'), 'resting_heart_rate', 61, '+01:00'],
      [at('00:00:00'), 'weight', 71, null],
      [at('01:00:00'), 'resting_heart_rate', 56, null],
    ]);
  });

  it('spreads a sum over buckets by time', async () => {
    const user = await userWith(
      sample('steps', at('08:55'), 100, { minutes: 10 }),
      sample('steps', at('23:50'), 90, { minutes: 30 }),
      sample('heart_rate', at('08:59:59'), 60, { minutes: 10 }),
    );
    const { data } = await series(user, ['steps', 'heart_rate'], at('00:00'), '2026-03-11T00:00:00Z', {
      resolution: '15min',
    });
    expect(data.map(({ timestamp, type, value }) => [timestamp, type, value])).toEqual([
      [at('08:45:00'), 'heart_rate', 60],
      [at('08:45:00'), 'steps', 50],
      [at('09:00:00'), 'steps', 50],
      [at('23:45:00'), 'steps', 30],
    ]);
  });

  it.each(['1min', '5min', '15min', '1hour'] as const)(
    'splits a sum exactly between neighboring ranges of %s buckets',
    async (resolution) => {
      const user = await userWith(
        sample('steps', at('07:50'), 100, { minutes: 20 }),
        sample('steps', at('08:20'), 40, { minutes: 20 }),
        sample('steps', at('08:31'), 7),
        sample('steps', at('08:59'), 60, { minutes: 60 }),
        sample('steps', at('09:10'), 8, { minutes: 24 * 60 + 1 }),
      );
      const within = async (start: string, end: string) => {
        const { data } = await series(user, ['steps'], start, end, { resolution, limit: 1000 });
        for (const { timestamp } of data) expect(Date.parse(timestamp)).toBeLessThan(Date.parse(end));
        return data.reduce((sum, { value }) => sum + value, 0);
      };
      expect(await within(at('08:00'), at('08:30'))).toBeCloseTo(50 + 20);
      expect(await within(at('08:30'), at('09:00'))).toBeCloseTo(20 + 7 + 1);
      expect(await within(at('08:40'), at('09:20'))).toBeCloseTo(21 + 8);
      const bounds = ['07:00', '07:55', '08:03', '08:30', '08:35', '09:00', '09:15', '11:00'].map(at);
      let sum = 0;
      for (const [place, start] of bounds.slice(0, -1).entries()) sum += await within(start, bounds[place + 1] ?? '');
      expect(sum).toBeCloseTo(215);
    },
  );

  it('finds buckets of earlier intervals when paging backward', async () => {
    const user = await userWith(
      sample('steps', at('02:00'), 1200, { minutes: 12 * 60 }),
      sample('steps', at('20:00'), 5),
    );
    const read = (cursor?: string) =>
      series(user, ['steps'], at('13:00'), at('21:00'), { resolution: '5min', limit: 5, cursor });
    const pages = [await read()];
    for (let next = pages[0]?.pagination.next_cursor; next; next = pages.at(-1)?.pagination.next_cursor) {
      pages.push(await read(next));
    }
    const forward = pages.flatMap(({ data }) => data);
    expect(forward).toHaveLength(13);
    expect(forward[0]).toMatchObject({ timestamp: at('13:00:00'), value: 8.333333 });
    const backward = [pages.at(-1)?.data ?? []];
    for (let back = pages.at(-1)?.pagination.previous_cursor; back; ) {
      const page = await read(back);
      backward.unshift(page.data);
      back = page.pagination.previous_cursor;
    }
    expect(backward.flat()).toEqual(forward);
  });

  it('combines values by series rule, separately for each source', async () => {
    const user = await userWith(
      sample('weight', at('08:00'), 72.5, { offsetMinutes: 60 }),
      sample('weight', at('08:30'), 72.1, { offsetMinutes: 60 }),
      sample('latitude', at('08:00'), 52.1234567),
      sample('latitude', at('08:30'), 52.7654321),
      sample('six_minute_walk_test_distance', at('08:00'), 510),
      sample('six_minute_walk_test_distance', at('08:30'), 490),
      sample('heart_rate', at('08:00'), 60, { offsetMinutes: 60 }),
      sample('heart_rate', at('08:30'), 61, { offsetMinutes: 120 }),
      sample('heart_rate', at('08:40'), 61, { offsetMinutes: 120 }),
      sample('heart_rate', at('08:30'), 80, { source: PHONE }),
    );
    const types: SeriesCode[] = ['heart_rate', 'weight', 'latitude', 'six_minute_walk_test_distance'];
    const { data } = await series(user, types, at('08:00'), at('09:00'), { resolution: '1hour' });
    expect(data.map(({ type, value, zone_offset, source }) => [type, value, zone_offset, source.device_type])).toEqual([
      ['heart_rate', 60.667, null, 'watch'],
      ['heart_rate', 80, null, 'phone'],
      ['weight', 72.1, '+01:00', 'watch'],
      ['six_minute_walk_test_distance', 510, null, 'watch'],
      ['latitude', 52.7654321, null, 'watch'],
    ]);
  });

  it('returns the bucket start even if it precedes the range', async () => {
    const user = await userWith(sample('steps', at('08:02'), 5), sample('steps', at('08:04'), 7));
    const { data } = await series(user, ['steps'], at('08:03'), at('09:00'), { resolution: '1hour' });
    expect(data.map(({ timestamp, value }) => [timestamp, value])).toEqual([[at('08:00:00'), 7]]);
  });

  it.each([
    ['1min', 1],
    ['1min', 7],
    ['5min', 3],
    ['1hour', 2],
  ] as const)('pages through %s buckets, %i per page, across gaps and sources', async (resolution, limit) => {
    const user = await userWith(
      ...samplesEvery('steps', '2025-01-01T23:58:30Z', 1, [1, 2, 3, 4], { minutes: 3 }),
      ...samplesEvery('heart_rate', '2025-07-01T12:00:00Z', 2, [60, 61, 62], { source: PHONE }),
      ...samplesEvery('heart_rate', '2025-07-01T12:00:00Z', 3, [70, 71, 72], { source: WATCH }),
      sample('steps', '2026-02-28T10:00:00Z', 8, { minutes: 65 }),
    );
    const read = (more: More) =>
      series(user, ['steps', 'heart_rate'], '2024-01-01', '2026-12-31', { resolution, ...more });
    const all = (await read({ limit: 10_000 })).data;
    const steps = all.filter(({ type }) => type === 'steps').reduce((sum, { value }) => sum + value, 0);
    expect(steps).toBeCloseTo(18, 4);
    let page = await read({ limit });
    const forward = [...page.data];
    while (page.pagination.has_more) {
      page = await read({ limit, cursor: page.pagination.next_cursor ?? '' });
      forward.push(...page.data);
    }
    expect(forward).toEqual(all);
    const back = [...page.data];
    while (page.pagination.previous_cursor) {
      page = await read({ limit, cursor: page.pagination.previous_cursor });
      back.unshift(...page.data);
    }
    expect(back).toEqual(all);
  });
});

describe('selecting one source for each day and type', () => {
  const PHONE_HOURS = ['06', '07', '12', '20'];
  const WATCH_HOURS = ['07', '12'];
  const steps = (hours: string[], value: number, source: typeof WATCH, day = 10) =>
    hours.map((hour) =>
      sample('steps', `2026-03-${day}T${hour}:00:00Z`, value, { source, minutes: 10, offsetMinutes: 0 }),
    );
  const chosen = (user: RecordedUser, types: SeriesCode[], more: More = {}, end = '2026-03-13') =>
    series(user, types, '2026-03-09', end, { filterByPriority: true, ...more });
  const named = (rows: readonly { timestamp: string; source: { device: string | null } }[]) =>
    rows.map(({ timestamp, source }) => `${timestamp.slice(8, 13)} ${source.device}`);

  it('shows only the samples of the selected source', async () => {
    const user = await userWith(...steps(PHONE_HOURS, 100, PHONE), ...steps(WATCH_HOURS, 150, WATCH));
    const { data, pagination } = await chosen(user, ['steps']);
    expect(named(data)).toEqual(['10T07 Watch6,2', '10T12 Watch6,2']);
    expect(pagination).toMatchObject({ total_count: null, has_more: false });
    expect(named((await chosen(user, ['steps'], { resolution: '1hour' })).data)).toEqual(named(data));
  });

  it('selects a source for each local day', async () => {
    const user = await userWith(
      ...steps(PHONE_HOURS, 100, PHONE),
      ...steps(WATCH_HOURS, 150, WATCH),
      // The watch was off for most of this day and has less than half of the steps.
      ...steps(PHONE_HOURS, 1000, PHONE, 11),
      ...steps(WATCH_HOURS, 150, WATCH, 11),
    );
    const expected = ['10T07 Watch6,2', '10T12 Watch6,2', ...PHONE_HOURS.map((hour) => `11T${hour} iPhone15,2`)];
    expect(named((await chosen(user, ['steps'])).data)).toEqual(expected);
    expect(named((await chosen(user, ['steps'], { resolution: '1hour' })).data)).toEqual(expected);
  });

  it('assigns samples to local days by their own offsets', async () => {
    const west = { minutes: 10, offsetMinutes: -480 };
    const user = await userWith(
      sample('steps', '2026-03-11T06:00:00Z', 500, { source: WATCH, ...west }),
      sample('steps', '2026-03-11T06:30:00Z', 500, { source: PHONE, ...west }),
      sample('steps', '2026-03-11T09:00:00Z', 700, { source: PHONE, ...west }),
    );
    // In Los Angeles it is still the 10th at 06:30 UTC.
    expect(named((await chosen(user, ['steps'])).data)).toEqual(['11T06 Watch6,2', '11T09 iPhone15,2']);
  });

  it("shows one source's daily total and another source's hourly values", async () => {
    const total = sample('steps', at('00:00'), 9000, { kind: 'daily_total', source: GARMIN, offsetMinutes: 0 });
    const user = await userWith(total, ...steps(PHONE_HOURS, 1000, PHONE));
    expect((await chosen(user, ['steps'])).data).toMatchObject([{ value: 9000, is_daily_total: true }]);
    const hours = await chosen(user, ['steps'], { resolution: '1hour' });
    expect(named(hours.data)).toEqual(PHONE_HOURS.map((hour) => `10T${hour} iPhone15,2`));
  });

  it('selects among sources that match the filters', async () => {
    const user = await userWith(...steps(PHONE_HOURS, 100, PHONE), ...steps(WATCH_HOURS, 150, WATCH));
    const { data } = await chosen(user, ['steps'], { deviceModel: 'iPhone15,2' });
    expect(data).toHaveLength(PHONE_HOURS.length);
  });

  it('orders sources by class for a series without a group', async () => {
    const user = await userWith(
      sample('vo2_max', at('08:00'), 40, { source: PHONE, offsetMinutes: 0 }),
      sample('vo2_max', at('09:00'), 50, { source: GARMIN, offsetMinutes: 0 }),
    );
    expect(named((await chosen(user, ['vo2_max'])).data)).toEqual(['10T09 Garmin fenix 7']);
  });

  it('shows nightly readings of the source that the sleep summary names', async () => {
    const night = (source: typeof WATCH, from: string, to: string) => ({
      kind: 'sleep_session' as const,
      source,
      startMs: Date.parse(from),
      endMs: Date.parse(to),
      offsetMinutes: 0,
      isNap: false,
    });
    const user = await userWith(
      night(WATCH, '2026-03-09T22:00:00Z', '2026-03-10T00:00:00Z'),
      night(GARMIN, '2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z'),
      sample('heart_rate_variability_rmssd', at('02:00'), 40, { source: WATCH, offsetMinutes: 0 }),
      sample('heart_rate_variability_rmssd', at('02:00'), 60, { source: GARMIN, offsetMinutes: 0 }),
      sample('respiratory_rate', at('02:00'), 14, { source: WATCH, offsetMinutes: 0 }),
    );
    const { data } = await chosen(user, ['heart_rate_variability_rmssd', 'respiratory_rate']);
    expect(data.map(({ type, value }) => [type, value])).toEqual([
      ['heart_rate_variability_rmssd', 60],
      ['respiratory_rate', 14],
    ]);
  });

  it('shows the end of an interval on a day without samples', async () => {
    const user = await userWith(
      sample('steps', at('23:50'), 100, { source: WATCH, minutes: 20, offsetMinutes: 0 }),
      sample('steps', at('23:50'), 100, { source: PHONE, minutes: 20, offsetMinutes: 0 }),
    );
    const { data } = await chosen(user, ['steps'], { resolution: '1hour' });
    expect(data.map(({ value }) => value)).toEqual([50, 50]);
    expect(named(data)).toEqual(['10T23 Watch6,2', '11T00 Watch6,2']);
  });

  it('finds the end of an interval when paging backward over a gap', async () => {
    const user = await userWith(
      sample('steps', at('23:50'), 100, { source: WATCH, minutes: 20, offsetMinutes: 0 }),
      ...['08:00', '10:00'].map((time) => sample('steps', `2026-06-01T${time}:00Z`, 5, { offsetMinutes: 0 })),
    );
    const page = (cursor?: string) => chosen(user, ['steps'], { resolution: '1hour', limit: 2, cursor }, '2026-07-01');
    const first = await page();
    expect(named(first.data)).toEqual(['10T23 Watch6,2', '11T00 Watch6,2']);
    const last = await page(first.pagination.next_cursor ?? '');
    expect((await page(last.pagination.previous_cursor ?? '')).data).toEqual(first.data);
  });

  it('pages through years of two sources in both directions', async () => {
    const years = Array.from({ length: 300 }, (_, at) => at * 9);
    const iso = (day: number) => new Date(Date.parse('2019-01-01T12:00:00Z') + day * 86_400_000).toISOString();
    const records = years.flatMap((day) =>
      (day % 2 ? [WATCH, PHONE] : [PHONE]).map((source) =>
        sample('steps', iso(day), 10, { source, minutes: 5, offsetMinutes: 0 }),
      ),
    );
    const user = await userWith(...records);
    for (const resolution of ['raw', '1hour'] as const) {
      const page = (cursor?: string) =>
        series(user, ['steps'], '2018-01-01', '2027-01-01', { filterByPriority: true, limit: 70, resolution, cursor });
      const pages = [await page()];
      while (pages.at(-1)?.pagination.next_cursor)
        pages.push(await page(pages.at(-1)?.pagination.next_cursor ?? undefined));
      const rows = pages.flatMap(({ data }) => data);
      expect(named(rows)).toHaveLength(300);
      expect(new Set(rows.map(({ timestamp }) => timestamp)).size).toBe(300);
      expect(rows.filter(({ source }) => source.device === 'Watch6,2')).toHaveLength(150);
      const last = pages.at(-1);
      const back = await page(last?.pagination.previous_cursor ?? '');
      expect(back.data).toEqual(pages.at(-2)?.data);
    }
  });
});
