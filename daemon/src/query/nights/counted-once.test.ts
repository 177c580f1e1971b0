import { coveredLength, type Interval } from '@healthd/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countedOnce } from './counted-once.js';

const HOUR_MS = 3_600_000;

/** Returns a session without stages, all of it sleep. */
function session(from: number, hours: number) {
  const seconds = hours * 3600;
  return {
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

const STAGES = ['light', 'deep', 'rem'] as const;
const stagedSession = fc
  .record({
    times: fc.constantFrom([0, 4], [0, 4], [2, 4]),
    asleep: fc.constantFrom(null, 0, 3_600, 7_200),
    inBed: fc.constantFrom(null, 7_200),
    light: fc.constantFrom(null, 600),
    efficiency: fc.constantFrom(null, 80),
    stages: fc.option(fc.constantFrom(...STAGES), { nil: null }),
  })
  .map(({ times: [from = 0, hours = 1], asleep, inBed, light, efficiency, stages }) => ({
    ...session(from, hours),
    asleep_seconds: asleep,
    in_bed_seconds: inBed,
    light_seconds: light,
    efficiency_percent: efficiency,
    overlapped_stages: stages && [
      {
        stage: stages,
        start_time: new Date(from * HOUR_MS).toISOString(),
        end_time: new Date((from + 1) * HOUR_MS).toISOString(),
      },
    ],
  }));

test('counts sessions the same in any order, even with equal times', () => {
  fc.assert(
    fc.property(fc.array(stagedSession, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 5 }), (some, moves) => {
      const moved = [...some];
      for (const [at, to] of moves.entries()) {
        const [one] = moved.splice(at, 1);
        if (one) moved.splice(to % (moved.length + 1), 0, one);
      }
      expect(countedOnce(moved)).toEqual(countedOnce(some));
    }),
    { numRuns: 1000 },
  );
});

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

test("counts a session in a night's pause despite sub-second shifts", () => {
  const fraction = fc.integer({ min: -120, max: 120 });
  fc.assert(
    fc.property(fc.tuple(fraction, fraction, fraction, fraction), ([first, second, third, fourth]) => {
      const stage = (fromMs: number, toMs: number) => ({
        stage: 'light' as const,
        start_time: new Date(fromMs).toISOString(),
        end_time: new Date(toMs).toISOString(),
      });
      const stages = [stage(HOUR_MS + first, 3 * HOUR_MS + second), stage(6 * HOUR_MS + third, 9 * HOUR_MS + fourth)];
      const asleep = Math.round(5 * 3600 + (second - first + fourth - third) / 1000);
      const night = { ...session(1, 8), asleep_seconds: asleep, in_bed_seconds: null, overlapped_stages: stages };
      const inPause = { ...session(4, 1), in_bed_seconds: null };
      expect(countedOnce([night, inPause])).toEqual([night, inPause]);
    }),
  );
});
