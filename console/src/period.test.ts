import { describe, expect, it } from 'vitest';
import { periodBounds, periodDates, periodOf, periodSearch } from './period.js';

const NOON = Date.parse('2026-03-02T12:00:00Z');

describe('the period of a page', () => {
  it('is in the URL unless it is the default', () => {
    expect(periodOf(new URLSearchParams(periodSearch(7)))).toBe(7);
    expect(periodOf(new URLSearchParams(periodSearch(90)))).toBe(90);
    expect(periodSearch(30)).toBe('');
  });

  it('is the default for unsupported values', () => {
    expect(periodOf(new URLSearchParams('?days=8'))).toBe(30);
    expect(periodOf(new URLSearchParams('?days='))).toBe(30);
  });

  it('includes tomorrow for users ahead of UTC', () => {
    expect(periodBounds(7, NOON)).toEqual({ start_date: '2026-02-24', end_date: '2026-03-04' });
  });

  it('contains consecutive dates that end today', () => {
    expect(periodDates(7, '2026-02-26', NOON)).toEqual([
      '2026-02-24',
      '2026-02-25',
      '2026-02-26',
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
  });

  it('ends on the local date of a user ahead of UTC', () => {
    const dates = periodDates(7, '2026-03-03', NOON);
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([7, '2026-02-25', '2026-03-03']);
  });
});
