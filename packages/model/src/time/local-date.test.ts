import { describe, expect, it } from 'vitest';
import { dayNumber, dayStartMs, fromDayNumber, localDate, localDayNumber } from './local-date.js';
import { MS_PER_DAY } from './units.js';

describe('the local date of an instant', () => {
  it.each([
    ['2026-03-10T22:30:00Z', 120, '2026-03-11'],
    ['2026-03-10T21:59:59.999Z', 120, '2026-03-10'],
    ['2026-03-10T22:00:00Z', 120, '2026-03-11'],
    ['2026-03-11T07:59:59Z', -480, '2026-03-10'],
    ['2026-03-11T08:00:00Z', -480, '2026-03-11'],
    ['2025-12-31T10:00:00Z', 840, '2026-01-01'],
    ['2026-01-01T11:00:00Z', -720, '2025-12-31'],
    ['2024-02-28T20:00:00Z', 330, '2024-02-29'],
    ['2023-02-28T20:00:00Z', 330, '2023-03-01'],
    ['1969-12-31T23:59:59.999Z', 0, '1969-12-31'],
    ['1970-01-01T00:00:00Z', 0, '1970-01-01'],
    ['1970-01-01T00:00:00Z', -1, '1969-12-31'],
  ])('dates %s at an offset of %i minutes as %s', (instant, offsetMinutes, date) => {
    expect(localDate(Date.parse(instant), offsetMinutes)).toBe(date);
  });
});

describe('a day number', () => {
  it.each([
    ['1970-01-01', 0],
    ['1969-12-31', -1],
    ['1970-03-01', 59],
    ['2000-02-29', 11_016],
    ['2026-03-10', 20_522],
    ['0000-03-01', -719_468],
    ['9999-12-31', 2_932_896],
  ])('converts %s to %i and back', (date, day) => {
    expect(dayNumber(date)).toBe(day);
    expect(fromDayNumber(day)).toBe(date);
  });

  it("agrees with the runtime's calendar from 1890 to 2110", () => {
    for (let day = -29_220; day <= 51_500; day++) {
      const date = new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
      if (fromDayNumber(day) !== date || dayNumber(date) !== day) expect.fail(`${date} and ${day} disagree`);
    }
  });

  it.each([
    '2023-02-29',
    '1900-02-29',
    '2026-00-10',
    '2026-13-01',
    '2026-04-31',
    '2026-01-00',
    '2026-1-1',
    '20260101',
    '',
  ])('rejects the invalid date "%s"', (text) => {
    expect(dayNumber(text)).toBeUndefined();
  });

  it('starts a day at local midnight', () => {
    const start = dayStartMs(20_522, -480);
    expect(new Date(start).toISOString()).toBe('2026-03-10T08:00:00.000Z');
    expect(localDayNumber(start, -480)).toBe(20_522);
    expect(localDayNumber(start - 1, -480)).toBe(20_521);
  });
});
