import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActivityReader, openActivityReader } from '../../../../test/support/activity-reader.js';
import { PHONE, sample, samplesEvery } from '../../../../test/support/records.js';

let reader: ActivityReader;
let { activity, userWith, dayOf } = {} as ActivityReader;
beforeAll(async () => {
  reader = await openActivityReader();
  ({ activity, userWith, dayOf } = reader);
});
afterAll(() => reader.close());

describe('activity by local date', () => {
  it.each([
    ['2026-03-10T23:30:00-08:00', -480, '2026-03-10'],
    ['2026-03-11T00:30:00+14:00', 840, '2026-03-11'],
    // Summer time in Europe starts on 29 March. The local times are 23:30 winter time on the evening before, and 00:30
    // summer time on the day after.
    ['2026-03-28T23:30:00+01:00', 60, '2026-03-28'],
    ['2026-03-30T00:30:00+02:00', 120, '2026-03-30'],
    ['2026-10-25T02:30:00+02:00', 120, '2026-10-25'],
    ['2026-10-25T02:30:00+01:00', 60, '2026-10-25'],
  ])('dates a sample at %s by its local time', async (start, offsetMinutes, date) => {
    const user = await userWith(sample('steps', start, 50, { offsetMinutes }));
    expect(await dayOf(user, date)).toMatchObject({ date, steps: 50 });
  });

  it('dates a sample without an offset by the nearest known offset', async () => {
    const user = await userWith(
      sample('heart_rate', '2026-03-10T20:00:00Z', 70, { offsetMinutes: -480 }),
      sample('steps', '2026-03-11T06:00:00Z', 50),
    );
    expect(await dayOf(user, '2026-03-10')).toMatchObject({ steps: 50 });
  });

  it('counts all steps of days with 23 and 25 hours', async () => {
    const hours = Array.from({ length: 48 }, () => 1);
    const inSpring = await userWith(
      ...samplesEvery('steps', '2026-03-29T00:00:00+01:00', 60, hours.slice(0, 2), { offsetMinutes: 60 }),
      ...samplesEvery('steps', '2026-03-29T03:00:00+02:00', 60, hours.slice(0, 21), { offsetMinutes: 120 }),
    );
    expect(await dayOf(inSpring, '2026-03-29')).toMatchObject({ steps: 23 });
    const inAutumn = await userWith(
      ...samplesEvery('steps', '2026-10-25T00:00:00+02:00', 60, hours.slice(0, 3), { offsetMinutes: 120 }),
      ...samplesEvery('steps', '2026-10-25T02:00:00+01:00', 60, hours.slice(0, 22), { offsetMinutes: 60 }),
    );
    expect(await dayOf(inAutumn, '2026-10-25')).toMatchObject({ steps: 25 });
  });
});

describe('a list of days', () => {
  let user: number;
  beforeAll(async () => {
    const days = Array.from({ length: 10 }, (_, day) =>
      sample('steps', `2026-03-${String(10 + day).padStart(2, '0')}T08:00:00Z`, 100 + day),
    );
    // Adds a second source to each day, because a page counts days instead of source rows.
    user = await userWith(...days, ...days.map((one) => ({ ...one, source: PHONE, value: 99 })));
  });

  it('returns no days if start and end are equal', async () => {
    expect(await activity(user, '2026-03-10', '2026-03-10')).toMatchObject({
      data: [],
      pagination: { next_cursor: null, previous_cursor: null, has_more: false, total_count: 0 },
    });
  });

  it('pages in both directions with the same order and count', async () => {
    const page = (cursor?: string) => activity(user, '2026-03-01', '2026-04-01', { limit: 4, cursor });
    const first = await page();
    expect(first.data.map((day) => day.steps)).toEqual([100, 101, 102, 103]);
    expect(first.pagination).toMatchObject({ has_more: true, previous_cursor: null, total_count: 10 });
    expect(first.metadata).toEqual({
      resolution: null,
      sample_count: 4,
      start_time: '2026-03-01T00:00:00Z',
      end_time: '2026-04-01T00:00:00Z',
    });
    const second = await page(first.pagination.next_cursor ?? '');
    const third = await page(second.pagination.next_cursor ?? '');
    expect(third.data.map((day) => day.steps)).toEqual([108, 109]);
    expect(third.pagination).toMatchObject({ has_more: false, next_cursor: null, total_count: 10 });
    const back = await page(second.pagination.previous_cursor ?? '');
    expect(back.data).toEqual(first.data);
    expect((await page(back.pagination.next_cursor ?? '')).data).toEqual(second.data);
  });

  it('sorts days in descending order on request', async () => {
    const first = await activity(user, '2026-03-01', '2026-04-01', { limit: 4, sortOrder: 'desc' });
    expect(first.data.map((day) => day.steps)).toEqual([109, 108, 107, 106]);
    const more = { limit: 4, sortOrder: 'desc', cursor: first.pagination.next_cursor ?? '' } as const;
    const second = await activity(user, '2026-03-01', '2026-04-01', more);
    expect(second.data.map((day) => day.steps)).toEqual([105, 104, 103, 102]);
  });

  it('rejects a cursor of the opposite sort order', async () => {
    const first = await activity(user, '2026-03-01', '2026-04-01', { limit: 4 });
    const more = { sortOrder: 'desc', cursor: first.pagination.next_cursor ?? '' } as const;
    await expect(activity(user, '2026-03-01', '2026-04-01', more)).rejects.toThrow('belongs to another');
  });
});
