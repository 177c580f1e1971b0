import { expect, test } from 'vitest';
import { newestDay, parseBounds } from './dates.js';

const TODAY = '2026-11-21';

test('both days of a range are included', () => {
  expect(parseBounds('2026-01-01', '2026-01-31', TODAY)).toEqual({
    start: '2026-01-01T00:00:00Z',
    end: '2026-02-01T00:00:00Z',
  });
});

test('14d means fourteen days with the last one, which is today unless --to says otherwise', () => {
  expect(parseBounds('14d', undefined, TODAY)).toEqual({ start: '2026-11-08T00:00:00Z', end: '2026-11-22T00:00:00Z' });
  expect(parseBounds('2w', '2026-03-14', TODAY)).toEqual({
    start: '2026-03-01T00:00:00Z',
    end: '2026-03-15T00:00:00Z',
  });
});

test('yesterday is one day', () => {
  expect(parseBounds('yesterday', 'yesterday', TODAY)).toEqual({
    start: '2026-11-20T00:00:00Z',
    end: '2026-11-21T00:00:00Z',
  });
});

test('instants are passed on, and mean UTC without an offset', () => {
  expect(parseBounds('2026-01-01T08:00:00+02:00', '2026-01-01 12:00', TODAY)).toEqual({
    start: '2026-01-01T08:00:00+02:00',
    end: '2026-01-01T12:00Z',
  });
});

test('a text that is no date, and a range that runs backwards, is wrong usage', () => {
  for (const bad of ['2026-02-30', 'soon', '', '14', '2026-13-01']) {
    expect(() => parseBounds(bad, undefined, TODAY)).toThrow(
      expect.objectContaining({ code: 'bad_date', exitCode: 2 }),
    );
  }
  expect(() => parseBounds('2026-02-02', '2026-02-01', TODAY)).toThrow(expect.objectContaining({ code: 'bad_range' }));
});

test.each([
  ['Pacific/Kiritimati', '2026-11-21T11:00:00Z', '2026-11-22'],
  ['Pacific/Kiritimati', '2026-11-21T09:00:00Z', '2026-11-21'],
  ['America/Los_Angeles', '2026-11-21T01:00:00Z', '2026-11-21'],
  ['America/Los_Angeles', '2026-11-21T23:00:00Z', '2026-11-21'],
  ['America/Los_Angeles', '2027-01-01T01:00:00Z', '2027-01-01'],
])('in %s at %s the newest day is %s, the later one of the wall clock and of UTC', (zone, now, day) => {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    expect(newestDay(new Date(now))).toBe(day);
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});
