import { describe, expect, it } from 'vitest';
import { inPortions } from './in-portions.js';

describe('inPortions', () => {
  it.each([
    { length: 0, portions: [] },
    { length: 1, portions: [[0, 1]] },
    { length: 1_024, portions: [[0, 1_024]] },
    {
      length: 2_049,
      portions: [
        [0, 1_024],
        [1_024, 2_048],
        [2_048, 2_049],
      ],
    },
  ])('covers each of $length rows once, with a yield before each portion', ({ length, portions }) => {
    const calls: [number, number][] = [];
    const callsAtYield: number[] = [];
    for (const _ of inPortions(length, (from, to) => calls.push([from, to]))) callsAtYield.push(calls.length);
    expect(calls).toEqual(portions);
    expect(callsAtYield).toEqual(portions.map((_, index) => index));
  });
});
