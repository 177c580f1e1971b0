import { expect, it } from 'vitest';
import { alignLines, nextIndex } from './align.js';

const line = (...pairs: [second: number, value: number][]) => ({
  name: 'x',
  points: pairs.map(([second, value]) => ({ ms: second * 1000, value })),
});

it('aligns lines with different timestamps', () => {
  expect(alignLines([line([1, 60], [3, 62]), line([2, 70], [3, 71])])).toEqual([
    [1, 2, 3],
    [60, undefined, 62],
    [undefined, 70, 71],
  ]);
});

it('inserts a gap where points are missing', () => {
  const [seconds, values] = alignLines([line([0, 1], [10, 2], [20, 3], [100, 4], [110, 5], [165, 6])]);
  expect(seconds).toEqual([0, 10, 20, 60, 100, 110, 165]);
  expect(values).toEqual([1, 2, 3, null, 4, 5, 6]);
});

it('moves the cursor between values, up to both ends', () => {
  const aligned = alignLines([line([0, 1], [10, 2], [20, 3], [100, 4])]);
  expect([nextIndex(aligned, 2, 1), nextIndex(aligned, 4, 1), nextIndex(aligned, 4, -2)]).toEqual([4, 4, 1]);
  expect([nextIndex(aligned, 0, -1), nextIndex(aligned, 0, 99)]).toEqual([0, 4]);
});

it('aligns two lines with 100,000 points in total', () => {
  const points = Array.from({ length: 50_000 }, (_, at) => ({ ms: at * 1000, value: at % 90 }));
  const shifted = points.map(({ ms, value }) => ({ ms: ms + 500, value }));
  const aligned = alignLines([
    { name: 'a', points },
    { name: 'b', points: shifted },
  ]);
  expect(aligned.map(({ length }) => length)).toEqual([100_000, 100_000, 100_000]);
});
