import { expect, test } from 'vitest';
import { moved, reversedPairs } from './order.js';

test('moves one item without reordering others', () => {
  expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(moved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
  expect(moved(['a', 'b'], 5, 0)).toEqual(['a', 'b']);
});

test('returns exactly the reversed pairs', () => {
  expect(reversedPairs(['a', 'b', 'c'], ['a', 'b', 'c'])).toEqual([]);
  expect(reversedPairs(['a', 'b', 'c'], ['c', 'a', 'b'])).toEqual([
    ['c', 'a'],
    ['c', 'b'],
  ]);
});
