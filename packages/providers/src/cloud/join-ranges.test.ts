import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinRanges } from './join-ranges.js';
import type { TimeRange } from './time-range.js';

const range = (startMs: number, endMs: number): TimeRange => ({ startMs, endMs });

it('joins ranges that overlap or nearly touch', () => {
  const ranges = [range(500, 600), range(0, 100), range(110, 120), range(20, 50), range(1_000, 1_001)];
  expect(joinRanges(ranges, 10, 100)).toEqual([range(0, 120), range(500, 600), range(1_000, 1_001)]);
});

it('joins only ranges that touch by default', () => {
  expect(joinRanges([range(5, 9), range(0, 5), range(10, 12)])).toEqual([range(0, 9), range(10, 12)]);
});

it('does not shorten a range that contains another range', () => {
  expect(joinRanges([range(0, 100), range(10, 20), range(105, 110)], 10, 100)).toEqual([range(0, 110)]);
});

it('joins the nearest ranges if too many remain', () => {
  const ranges = [range(0, 1), range(10, 11), range(100, 101), range(130, 131)];
  expect(joinRanges(ranges, 0, 3)).toEqual([range(0, 11), range(100, 101), range(130, 131)]);
  expect(joinRanges(ranges, 0, 2)).toEqual([range(0, 11), range(100, 131)]);
  expect(joinRanges(ranges, 0, 1)).toEqual([range(0, 131)]);
});

it('keeps ranges unchanged up to the limit', () => {
  const ranges = [range(0, 1), range(10, 11), range(100, 101), range(130, 131)];
  expect(joinRanges(ranges, 0, 4)).toEqual(ranges);
  expect(joinRanges(ranges.slice(0, 1), 0, 1)).toEqual(ranges.slice(0, 1));
  expect(joinRanges([], 0, 1)).toEqual([]);
});

it('measures distances only between outer ranges, not from nested ranges', () => {
  const ranges = [range(0, 100), range(10, 20), range(110, 120), range(200, 201)];
  expect(joinRanges(ranges, 0, 2)).toEqual([range(0, 120), range(200, 201)]);
});

it('covers each range exactly once within the limit', () => {
  const some = fc.array(
    fc.tuple(fc.nat(10_000), fc.nat(300)).map(([startMs, length]) => range(startMs, startMs + length + 1)),
  );
  fc.assert(
    fc.property(some, fc.nat(500), fc.integer({ min: 1, max: 12 }), (ranges, gapMs, limit) => {
      const joined = joinRanges(ranges, gapMs, limit);
      expect(joined.length).toBeLessThanOrEqual(limit);
      for (const { startMs, endMs } of ranges) {
        expect(joined.filter((into) => into.startMs <= startMs && into.endMs >= endMs)).toHaveLength(1);
      }
      for (let at = 1; at < joined.length; at += 1) {
        expect(joined[at]!.startMs - joined[at - 1]!.endMs).toBeGreaterThan(gapMs);
      }
    }),
  );
});
