import type { SleepSession, SleepSummary } from '@healthd/schemas';
import { expect, it } from 'vitest';
import { nightsOf } from './nights.js';

const source = (device: string) => ({ provider: 'apple', source: null, device, device_type: null, device_name: null });

interface Facts {
  device?: string;
  is_nap?: boolean;
  /** Test session. The date defaults to the UTC date of its end. */
  wake_date?: string;
}

function session(id: string, start_time: string, end_time: string, facts: Facts = {}): SleepSession {
  const { device = 'watch', is_nap = false, wake_date = end_time.slice(0, 10) } = facts;
  return { id, start_time, end_time, wake_date, source: source(device), is_nap } as SleepSession;
}

function summary(date: string, ...sessions: SleepSession[]): SleepSummary {
  return { date, source: source('watch'), sessions } as unknown as SleepSummary;
}

it('lists the sessions of a wake date, counted sessions first', () => {
  const night = session('night', '2026-03-10T22:00:00Z', '2026-03-11T05:00:00Z');
  const nap = session('nap', '2026-03-11T13:00:00Z', '2026-03-11T13:30:00Z', { is_nap: true });
  const other = session('ring', '2026-03-10T21:50:00Z', '2026-03-11T05:10:00Z', { device: 'ring' });
  // 23:30 UTC is after midnight in local time.
  const late = session('late', '2026-03-11T20:00:00Z', '2026-03-11T23:30:00Z', { wake_date: '2026-03-12' });
  const rows = nightsOf([summary('2026-03-12', late), summary('2026-03-11', night, nap)], [late, nap, night, other]);
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

it('does not count equal sessions of another source', () => {
  const night = session('night', '2026-03-10T22:00:00Z', '2026-03-11T05:00:00Z');
  const copy = { ...night, id: 'copy', source: source('phone') };
  const [row] = nightsOf([summary('2026-03-11', night)], [copy, night]);
  expect(row?.sessions.map((one) => [one.session.id, one.counts])).toEqual([
    ['night', true],
    ['copy', false],
  ]);
});
