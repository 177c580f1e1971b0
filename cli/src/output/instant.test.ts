import { expect, test } from 'vitest';
import { at, Instant, measuredAt } from './instant.js';

const NOON = '2026-07-01T12:00:00.500Z';

test.each([
  ['+02:00', '2026-07-01 14:00:00 +02:00'],
  ['-03:30', '2026-07-01 08:30:00 -03:30'],
  ['+14:00', '2026-07-02 02:00:00 +14:00'],
  ['-00:30', '2026-07-01 11:30:00 -00:30'],
  ['+00:00', '2026-07-01 12:00:00 UTC'],
  [null, '2026-07-01 12:00:00 UTC'],
  ['2026-07-01T12:00:00+02:00', '2026-07-01 12:00:00 UTC'],
  ['+02:00:00', '2026-07-01 12:00:00 UTC'],
  ['02:00', '2026-07-01 12:00:00 UTC'],
])('shows a measurement at offset %j as %s', (offset, shown) => {
  expect(measuredAt(NOON, offset).text()).toBe(shown);
  expect(measuredAt(NOON, offset).text(true)).toBe('2026-07-01 12:00:00 UTC');
});

test('shows service events to the minute, in local time or UTC', () => {
  const minutes = -new Date(NOON).getTimezoneOffset();
  const local = new Date(Date.parse(NOON) + minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ');
  expect(new Instant(NOON).text().slice(0, 16)).toBe(local);
  expect(new Instant(NOON).text().endsWith(' UTC')).toBe(minutes === 0);
  expect(new Instant(NOON).text(true)).toBe('2026-07-01 12:00 UTC');
});

test('shows an invalid instant unchanged', () => {
  expect(new Instant('soon').text()).toBe('soon');
  expect(measuredAt('soon', '+02:00').text(true)).toBe('soon');
});

test('returns null only for missing instants', () => {
  expect([at(null), at(undefined), at('')]).toEqual([null, null, null]);
  expect(at(NOON)?.text(true)).toBe('2026-07-01 12:00 UTC');
});
