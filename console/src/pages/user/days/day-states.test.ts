import { expect, it } from 'vitest';
import { dayStates, daysText, type KindOfData, missingWithin } from './day-states.js';

const days = (first: number, last = first) => ({ first_date: date(first), last_date: date(last) });
const date = (day: number) => `2026-11-${String(day).padStart(2, '0')}`;
const item = (data_type: string): KindOfData => ({
  provider: 'google',
  connection_status: 'active',
  data_type,
  first_date: date(1),
  last_date: date(8),
  days_received: 7,
  days_empty: 1,
  delivers_daily: true,
  days_missing: 1,
  received: [days(1, 4), days(6, 8)],
  missing: [days(5)],
});
const DATES = [3, 4, 5, 6, 9].map(date);
const states = (type: string, archivedBefore: string | null) =>
  dayStates(item(type), DATES, archivedBefore).map(({ state }) => state);

it('marks a day as received, missing or empty', () => {
  expect(states('steps', null)).toEqual(['received', 'received', 'missing', 'received', 'empty']);
});

it('marks received days before the archive date as archived', () => {
  expect(states('steps', date(6))).toEqual(['archived', 'archived', 'missing', 'received', 'empty']);
  expect(states('weight', date(6))).toEqual(['received', 'received', 'missing', 'received', 'empty']);
  expect(states('sleep', date(6))).toEqual(['received', 'received', 'missing', 'received', 'empty']);
});

it('offers a backfill only for missing days in the period', () => {
  expect(missingWithin(item('steps'), [date(4), date(5)]).map(daysText)).toEqual([date(5)]);
  expect(missingWithin(item('steps'), [date(6), date(9)])).toEqual([]);
  expect(daysText(days(5, 7))).toBe('2026-11-05 – 2026-11-07');
});
