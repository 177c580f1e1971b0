import { expect, it } from 'vitest';
import { warningsOf } from './archival.js';
import { nextDailyRun } from './archival-settings.js';
import { prettyBytes } from './storage.js';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.00 KB'],
  [40_960, '40.00 KB'],
  [1024 ** 2, '1.00 MB'],
  [5 * 1024 ** 3 + 1024 ** 2, '5.00 GB'],
  [3 * 1024 ** 5, '3072.00 TB'],
])('formats %i bytes as %s', (bytes, text) => expect(prettyBytes(bytes)).toBe(text));

it.each([
  ['2026-03-10T02:59:59Z', '2026-03-10T03:00:00Z'],
  ['2026-03-10T03:00:00Z', '2026-03-11T03:00:00Z'],
  ['2026-12-31T23:00:00Z', '2027-01-01T03:00:00Z'],
])('schedules the next daily run after %s at %s', (now, next) =>
  expect(nextDailyRun(Date.parse(now))).toEqual(new Date(next)),
);

it('warns if the deletion age does not exceed the archival age', () => {
  expect(warningsOf({ archiveAfterDays: 30, deleteAfterDays: 30 })).toHaveLength(1);
  expect(warningsOf({ archiveAfterDays: 30, deleteAfterDays: 31 })).toEqual([]);
  expect(warningsOf({ archiveAfterDays: null, deleteAfterDays: 31 })).toEqual([]);
});
