import type { SleepSession, SleepSummary } from '@healthd/schemas';
import { expect, it } from 'vitest';
import { NONE_BESIDE, zonesOfRecords } from '../../../record-zone.js';
import { nightsOf } from './nights.js';

const IN_AUCKLAND = zonesOfRecords('Pacific/Auckland', NONE_BESIDE);

const source = (device: string) => ({ provider: 'apple', source: null, device, device_type: null, device_name: null });

function session(id: string, start_time: string, end_time: string, device = 'watch', is_nap = false): SleepSession {
  return { id, start_time, end_time, zone_offset: '+01:00', source: source(device), is_nap } as SleepSession;
}

function summary(date: string, ...sessions: SleepSession[]): SleepSummary {
  return { date, source: source('watch'), sessions } as unknown as SleepSummary;
}

it('every session stands under the local date of waking, those that count before the others, naps last', () => {
  const night = session('night', '2026-03-10T22:00:00Z', '2026-03-11T05:00:00Z');
  const nap = session('nap', '2026-03-11T13:00:00Z', '2026-03-11T13:30:00Z', 'watch', true);
  const other = session('ring', '2026-03-10T21:50:00Z', '2026-03-11T05:10:00Z', 'ring');
  // 23:30 UTC is after midnight where the person is.
  const late = session('late', '2026-03-11T20:00:00Z', '2026-03-11T23:30:00Z');
  const rows = nightsOf(
    [summary('2026-03-12', late), summary('2026-03-11', night, nap)],
    [late, nap, night, other],
    IN_AUCKLAND,
  );
  expect(rows.map((row) => [row.date, row.sessions.map((one) => [one.session.id, one.counts])])).toEqual([
    ['2026-03-12', [['late', true]]],
    [
      '2026-03-11',
      [
        ['night', true],
        ['nap', true],
        ['ring', false],
      ],
    ],
  ]);
});

it('a session of another source with the same times does not count', () => {
  const night = session('night', '2026-03-10T22:00:00Z', '2026-03-11T05:00:00Z');
  const copy = { ...night, id: 'copy', source: source('phone') };
  const [row] = nightsOf([summary('2026-03-11', night)], [copy, night], IN_AUCKLAND);
  expect(row?.sessions.map((one) => [one.session.id, one.counts])).toEqual([
    ['night', true],
    ['copy', false],
  ]);
});

it('a session without an offset stands under the date of the person\u2019s zone, and one that counts under the date of the service', () => {
  // 08:00 on the 11th in Auckland, where it is still the 10th in UTC.
  const without = { zone_offset: null };
  const other = { ...session('ring', '2026-03-10T10:50:00Z', '2026-03-10T19:10:00Z', 'ring'), ...without };
  const night = { ...session('night', '2026-03-10T11:00:00Z', '2026-03-10T19:00:00Z'), ...without };
  // The service knows more of where the person was than the console.
  const away = { ...session('away', '2026-03-11T11:00:00Z', '2026-03-11T19:00:00Z'), ...without };
  const summaries = [summary('2026-03-11', night, away), summary('2026-03-10')];
  const rows = nightsOf(summaries, [away, night, other], IN_AUCKLAND);
  expect(rows.map((row) => [row.date, row.sessions.map((one) => [one.session.id, one.counts])])).toEqual([
    [
      '2026-03-11',
      [
        ['night', true],
        ['away', true],
        ['ring', false],
      ],
    ],
    ['2026-03-10', []],
  ]);
});
