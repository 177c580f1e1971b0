import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RMSSD_RULE, rmssdOf } from './beat-variability.js';
import reference from './beat-variability.fixtures.json' with { type: 'json' };

const missing = (interval: number | null) => interval ?? Number.NaN;

describe('RMSSD of heartbeat intervals', () => {
  it.each(reference.cases)('equals NeuroKit2: $name', ({ intervals, rmssd }) => {
    const computed = rmssdOf(intervals.map(missing));
    if (rmssd === null) expect(computed).toBeUndefined();
    else expect(computed).toBeCloseTo(rmssd, 9);
  });

  it('never counts a difference across a missing interval', () => {
    const slow = new Array(25).fill(1000);
    const fast = new Array(25).fill(900);
    expect(rmssdOf([...slow, Number.NaN, ...fast])).toBe(0);
    expect(rmssdOf([...slow, ...fast])).toBeGreaterThan(0);
  });

  it('drops one interval if the heart rate changes by over 20 %', () => {
    const intervals = [...new Array(25).fill(1000), ...new Array(25).fill(700)];
    expect(rmssdOf(intervals)).toBe(0);
  });

  it('accepts a change of exactly 20 %', () => {
    expect(rmssdOf(Array.from({ length: 30 }, (_, at) => (at === 0 ? 500 : 600)))).toBeCloseTo(100 / Math.sqrt(29), 9);
  });

  it('is never larger than the largest accepted change', () => {
    const interval = fc.oneof(fc.double({ min: 100, max: 3000, noNaN: true }), fc.constant(Number.NaN));
    fc.assert(
      fc.property(fc.array(interval, { maxLength: RMSSD_RULE.maxIntervals + 1 }), (intervals) => {
        const computed = rmssdOf(intervals);
        return computed === undefined || (computed >= 0 && computed <= RMSSD_RULE.maxChange * RMSSD_RULE.maxIntervalMs);
      }),
    );
  });
});
