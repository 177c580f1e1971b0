import { expect, it } from 'vitest';
import { localDateOf } from './place.js';

it.each([
  ['the vendor names', { date: '2026-03-09', offsetMinutes: 0 }, '2026-03-09'],
  ['of its start east of UTC', { date: undefined, offsetMinutes: 120 }, '2026-03-11'],
  ['of its start west of UTC', { date: undefined, offsetMinutes: -1_440 }, '2026-03-09'],
  ['of its start in UTC without an offset', { date: undefined, offsetMinutes: undefined }, '2026-03-10'],
])('dates an item on the date %s', (_, place, date) => {
  const startMs = Date.parse('2026-03-10T23:00:00Z');
  expect(localDateOf({ startMs, endMs: startMs, ...place })).toBe(date);
});
