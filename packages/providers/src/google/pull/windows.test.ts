import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import type { PullMode, TimeRange, VendorAccount } from '../../cloud/index.js';
import { GOOGLE_PULL } from './adapter.js';
import { LocalDays } from './local-days.js';
import { MODES } from './testing/modes.js';

function accountIn(timeZone?: string): VendorAccount {
  return { timeZone, scopes: new Set() };
}

function range(from: string, to: string): TimeRange {
  return { startMs: Date.parse(from), endMs: Date.parse(to) };
}

function texts(windows: readonly TimeRange[]): string[] {
  return windows.map(({ startMs, endMs }) => [startMs, endMs].map((ms) => new Date(ms).toISOString()).join(' '));
}

const windows = (type: string, sentRequests: TimeRange, mode: PullMode, zone?: string) =>
  texts(GOOGLE_PULL.windows(type, sentRequests, mode, accountIn(zone)));

describe('planning the windows of a range', () => {
  it('splits a heart-rate range into days, newest first', () => {
    const sentRequests = range('2026-04-01T05:30:00Z', '2026-04-03T10:20:00Z');
    expect(windows('heart-rate', sentRequests, MODES.reconcile)).toEqual([
      '2026-04-02T10:20:00.000Z 2026-04-03T10:20:00.000Z',
      '2026-04-01T10:20:00.000Z 2026-04-02T10:20:00.000Z',
      '2026-04-01T05:30:00.000Z 2026-04-01T10:20:00.000Z',
    ]);
  });

  it('extends windows to whole hours for hourly roll-ups', () => {
    const sentRequests = range('2026-04-01T14:37:00Z', '2026-04-01T15:37:00Z');
    const whole = ['2026-04-01T14:00:00.000Z 2026-04-01T16:00:00.000Z'];
    expect(windows('steps', sentRequests, MODES.hourly)).toEqual(whole);
    expect(windows('total-calories', sentRequests, MODES.reconcile)).toEqual(whole);
  });

  it('extends windows by an hour for merged intervals', () => {
    const sentRequests = range('2026-04-01T14:37:00Z', '2026-04-01T15:37:00Z');
    expect(windows('steps', sentRequests, MODES.reconcile)).toEqual([
      '2026-04-01T13:00:00.000Z 2026-04-01T17:00:00.000Z',
    ]);
    expect(windows('steps', sentRequests, MODES.list)).toEqual(['2026-04-01T14:00:00.000Z 2026-04-01T16:00:00.000Z']);
  });

  it.each(['daily-resting-heart-rate', 'heart-rate-variability', 'run-vo2-max'])('uses local days for %s', (type) => {
    const sentRequests = range('2026-04-01T14:37:00Z', '2026-04-02T02:00:00Z');
    const newYork = ['2026-04-01T04:00:00.000Z 2026-04-02T04:00:00.000Z'];
    expect(windows(type, sentRequests, MODES.reconcile, 'America/New_York')).toEqual(newYork);
    const tokyo = ['2026-03-31T15:00:00.000Z 2026-04-02T15:00:00.000Z'];
    expect(windows(type, sentRequests, MODES.reconcile, 'Asia/Tokyo')).toEqual(tokyo);
  });

  it('covers 23 and 25 hours at clock changes', () => {
    const spring = range('2026-03-29T10:00:00Z', '2026-03-29T11:00:00Z');
    expect(windows('steps', spring, MODES.daily, 'Europe/Berlin')).toEqual([
      '2026-03-28T23:00:00.000Z 2026-03-29T22:00:00.000Z',
    ]);
    const autumn = range('2026-10-25T10:00:00Z', '2026-10-25T11:00:00Z');
    expect(windows('steps', autumn, MODES.daily, 'Europe/Berlin')).toEqual([
      '2026-10-24T22:00:00.000Z 2026-10-25T23:00:00.000Z',
    ]);
  });

  it('returns no windows for an empty range', () => {
    for (const { id } of GOOGLE_PULL.dataTypes) {
      for (const mode of Object.values(MODES)) {
        expect(windows(id, range('2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z'), mode, 'Europe/Berlin')).toEqual([]);
      }
    }
  });
});

/** The vendor's documented maximum range of a roll-up. */
const LONGEST_DAYS: Readonly<Record<string, number>> = { 'heart-rate': 14, 'total-calories': 14, 'active-minutes': 14 };
const NEVER_ROLLED_UP = new Set([
  'daily-resting-heart-rate',
  'daily-respiratory-rate',
  'daily-sleep-temperature-derivations',
  'heart-rate-variability',
  'oxygen-saturation',
  'run-vo2-max',
]);
const ZONES = ['Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati', 'Africa/Cairo', undefined];

/** Returns the same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe.each(Object.entries(MODES))('windows in mode %s', (_, mode) => {
  it.each(GOOGLE_PULL.dataTypes.map(({ id }) => id))('cover any range of %s without gaps and within limits', (type) => {
    const random = numbers(type.length * 7919);
    for (let round = 0; round < 60; round++) {
      const startMs = Date.parse('2026-01-01T00:00:00Z') + Math.floor(random() * 300 * MS_PER_DAY);
      const sentRequests = { startMs, endMs: startMs + 1 + Math.floor(random() ** 3 * 120 * MS_PER_DAY) };
      const account = accountIn(ZONES[round % ZONES.length]);
      const cut = GOOGLE_PULL.windows(type, sentRequests, mode, account);
      expect(cut[0]?.endMs).toBeGreaterThanOrEqual(sentRequests.endMs);
      expect(cut.at(-1)?.startMs).toBeLessThanOrEqual(sentRequests.startMs);
      cut.slice(1).forEach((window, index) => void expect(window.endMs).toBe(cut[index]?.startMs));
      for (const window of cut) {
        expect(window.endMs).toBeGreaterThan(window.startMs);
        // Only roll-ups have limits; 90 local days may include the extra hour of a clock change.
        const spareMs = NEVER_ROLLED_UP.has(type) ? MS_PER_HOUR : 0;
        expect(window.endMs - window.startMs).toBeLessThanOrEqual((LONGEST_DAYS[type] ?? 90) * MS_PER_DAY + spareMs);
      }
    }
  });
});

describe('local day', () => {
  const dayOf = (zone: string, at: string) => {
    const days = new LocalDays({ timeZone: zone });
    const { startMs, endMs, offsetMinutes } = days.of(days.dayAt(Date.parse(at)));
    return [new Date(startMs).toISOString(), new Date(endMs).toISOString(), offsetMinutes];
  };

  it('starts at its first instant if clocks change at midnight', () => {
    expect(dayOf('Africa/Cairo', '2026-04-24T10:00:00Z')).toEqual([
      '2026-04-23T22:00:00.000Z',
      '2026-04-24T21:00:00.000Z',
      180,
    ]);
  });

  it('starts at midnight on both sides of the date line', () => {
    expect(dayOf('Pacific/Kiritimati', '2026-04-01T09:59:00Z')).toEqual([
      '2026-03-31T10:00:00.000Z',
      '2026-04-01T10:00:00.000Z',
      840,
    ]);
    expect(dayOf('Pacific/Pago_Pago', '2026-04-01T11:00:00Z')).toEqual([
      '2026-04-01T11:00:00.000Z',
      '2026-04-02T11:00:00.000Z',
      -660,
    ]);
  });

  it('uses the UTC day without an offset if the zone is unknown', () => {
    const { startMs, offsetMinutes } = new LocalDays({}).of(0);
    expect([startMs, offsetMinutes]).toEqual([0, undefined]);
  });
});
