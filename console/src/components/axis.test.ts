import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisTop } from './axis.js';

describe('the top of an axis', () => {
  it('is a round number', () => {
    expect([12_431, 10_000, 9_800, 2_100, 4, 0.3, 0].map(axisTop)).toEqual([20_000, 10_000, 10_000, 2_500, 5, 0.5, 1]);
  });

  it('is between the maximum and 2.5 times the maximum', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e9, noNaN: true }), (max) => {
        expect(axisTop(max)).toBeGreaterThanOrEqual(max);
        expect(max / axisTop(max)).toBeGreaterThan(0.4);
      }),
    );
  });
});
