import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { expect, it } from 'vitest';
import { backfillDays } from './backfill-days.js';

const HOLE = '2026-11-10';
/** Start of the missing day at the largest UTC offset, 14 hours ahead. */
const FIRST_MIDNIGHT = Date.parse('2026-11-10T00:00:00Z') - 14 * MS_PER_HOUR;

it('covers the missing day in every time zone', () => {
  for (let hour = 0; hour < 24; hour++) {
    const now = Date.parse('2026-11-17T00:30:00Z') + hour * MS_PER_HOUR;
    const { days, reach } = backfillDays(HOLE, 90, now);
    expect(now - days * MS_PER_DAY).toBeLessThanOrEqual(FIRST_MIDNIGHT);
    expect(reach).toBe('whole');
  }
});

it('limits a backfill to the maximum number of days', () => {
  const now = Date.parse('2026-11-17T23:30:00Z');
  expect(backfillDays(HOLE, 9, now)).toEqual({ days: 9, reach: 'whole' });
  expect(backfillDays(HOLE, 8, now)).toEqual({ days: 8, reach: 'part' });
  expect(backfillDays(HOLE, 6, now)).toEqual({ days: 6, reach: 'none' });
});

it('defaults to a month or a shorter maximum', () => {
  expect(backfillDays(undefined, 90)).toEqual({ days: 30, reach: 'whole' });
  expect(backfillDays(undefined, 14)).toEqual({ days: 14, reach: 'whole' });
});
