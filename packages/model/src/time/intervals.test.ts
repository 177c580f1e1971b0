import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coveredLength, groupIntervals, type Interval, runsOf, unionOf } from './intervals.js';

const interval = fc.tuple(fc.nat(60), fc.nat(9)).map(([from, length]): Interval => [from, from + length]);
const intervals = fc.array(interval, { maxLength: 12 });

/** Tests each interval separately. Half numbers are between the ends. */
const isCovered = (some: readonly Interval[], at: number) => some.some(([from, to]) => from <= at && at <= to);
const PLACES = Array.from({ length: 160 }, (_, at) => at / 2);

test('joins intervals that overlap or touch', () => {
  expect(
    unionOf([
      [50, 60],
      [0, 10],
      [10, 12],
      [5, 7],
      [55, 70],
    ]),
  ).toEqual([
    [0, 12],
    [50, 70],
  ]);
  expect(unionOf([])).toEqual([]);
});

test('does not shorten an interval that contains another interval', () => {
  expect(
    unionOf([
      [0, 100],
      [10, 20],
      [90, 110],
    ]),
  ).toEqual([[0, 110]]);
});

test('joins overlapping intervals with an open start or end', () => {
  const [first, last] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  expect(
    unionOf([
      [first, 5],
      [3, 9],
      [first, 5],
      [20, last],
      [30, last],
    ]),
  ).toEqual([
    [first, 9],
    [20, last],
  ]);
});

test('bridges a pause up to the maximum gap', () => {
  expect(
    unionOf(
      [
        [0, 10],
        [15, 20],
        [26, 30],
      ],
      { gap: 5 },
    ),
  ).toEqual([
    [0, 20],
    [26, 30],
  ]);
});

test('covers exactly the input intervals, with gaps between all parts', () => {
  fc.assert(
    fc.property(intervals, (some) => {
      const union = unionOf(some);
      expect(PLACES.filter((at) => isCovered(union, at))).toEqual(PLACES.filter((at) => isCovered(some, at)));
      for (let at = 1; at < union.length; at++) expect(union[at]![0]).toBeGreaterThan(union[at - 1]![1]);
    }),
  );
});

test('bridges gaps like a union of intervals that the gap extends', () => {
  fc.assert(
    fc.property(intervals, fc.nat(6), (some, gap) => {
      const longer = unionOf(some.map(([from, to]): Interval => [from, to + gap]));
      expect(unionOf(some, { gap })).toEqual(longer.map(([from, to]) => [from, to - gap]));
    }),
  );
});

test('builds the same union if the intervals are in reverse order', () => {
  fc.assert(
    fc.property(intervals, fc.nat(6), (some, gap) => {
      expect(unionOf(some.toReversed(), { gap })).toEqual(unionOf(some, { gap }));
    }),
  );
});

test('groups days by the maximum gap and the maximum group length', () => {
  const days = [9, 1, 2, 4, 5, 6];
  expect(runsOf(days, { gap: 1 })).toEqual([
    [1, 2],
    [4, 6],
    [9, 9],
  ]);
  expect(runsOf(days, { gap: 2, reach: 4 })).toEqual([
    [1, 4],
    [5, 6],
    [9, 9],
  ]);
});

test('puts each item into exactly one group, in order', () => {
  fc.assert(
    fc.property(intervals, fc.nat(6), fc.integer({ min: 1, max: 30 }), (some, gap, reach) => {
      const groups = groupIntervals(some.entries(), ([, of]) => of, { gap, reach });
      const order = some.map((of, at) => [at, of] as const).sort(([, a], [, b]) => a[0] - b[0]);
      expect(groups.flatMap(({ items }) => items)).toEqual(order);
      for (const { from, to, items } of groups) {
        expect([from, to]).toEqual([
          Math.min(...items.map(([, of]) => of[0])),
          Math.max(...items.map(([, of]) => of[1])),
        ]);
        expect(Math.max(...items.map(([, of]) => of[0])) - from).toBeLessThan(reach);
      }
    }),
  );
});

test('counts overlapping time once in the total length', () => {
  expect(
    coveredLength([
      [0, 10],
      [5, 12],
      [20, 21],
    ]),
  ).toBe(13);
  expect(coveredLength([[4, 4]])).toBe(0);
  fc.assert(
    fc.property(intervals, (some) => {
      const units = PLACES.filter((at) => at % 1 !== 0 && isCovered(some, at));
      expect(coveredLength(some)).toBe(units.length);
    }),
  );
});
