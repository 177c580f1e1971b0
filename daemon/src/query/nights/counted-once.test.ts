import { coveredLength, type Interval } from '@healthd/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countedOnce } from './counted-once.js';

const HOUR_MS = 3_600_000;

/** A session without stages, all of it sleep. */
function session(from: number, hours: number) {
  const seconds = hours * 3600;
  return {
    is_nap: false,
    overlapped_stages: null,
    start_at: new Date(from * HOUR_MS),
    end_at: new Date((from + hours) * HOUR_MS),
    asleep_seconds: seconds,
    in_bed_seconds: seconds,
    awake_seconds: 0,
    efficiency_percent: null,
  };
}

const sessions = fc.array(
  fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 20 })).map(([from, hours]) => session(from, hours)),
  { maxLength: 20 },
);

test('counts each hour of overlapping sessions once', () => {
  fc.assert(
    fc.property(sessions, (some) => {
      const counted = countedOnce(some);
      const total = counted.reduce((sum, { asleep_seconds: seconds }) => sum + (seconds ?? 0), 0);
      const intervals = some.map(({ start_at, end_at }): Interval => [start_at.getTime(), end_at.getTime()]);
      expect(total).toBe(coveredLength(intervals) / 1000);
    }),
  );
});
