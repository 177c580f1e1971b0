import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MinuteSet } from './minute-set.js';

const at = (text: string) => Date.parse(`2026-03-${text}Z`);
const STEPS = 80;

describe('covered minutes', () => {
  it('include each minute that an interval touches, excluding its end', () => {
    const minutes = new MinuteSet();
    minutes.add(STEPS, 1, at('10T08:00:30'), 90_000);
    expect(
      ['07:59:59', '08:00:00', '08:01:59', '08:02:00'].map((time) => minutes.has(STEPS, 1, at(`10T${time}`))),
    ).toEqual([false, true, true, false]);
  });

  it("include only a reading's own minute", () => {
    for (const duration of [0, Number.NaN]) {
      const minutes = new MinuteSet();
      minutes.add(STEPS, 1, at('10T08:00:59.999'), duration);
      expect([...minutes.stretches()]).toEqual([
        { typeId: STEPS, sourceId: 1, fromMs: at('10T08:00'), toMs: at('10T08:01') },
      ]);
    }
  });

  it('continue past midnight and before 1970', () => {
    const minutes = new MinuteSet();
    minutes.add(STEPS, 1, at('10T23:59:00'), 120_000);
    minutes.add(STEPS, 1, -60_000, 120_000);
    expect(minutes.has(STEPS, 1, at('11T00:00:59'))).toBe(true);
    expect([-60_001, -60_000, 59_999, 60_000].map((ms) => minutes.has(STEPS, 1, ms))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(minutes.entries()).toHaveLength(4);
  });

  it('include the first 24 hours of a longer interval', () => {
    const minutes = new MinuteSet();
    minutes.add(STEPS, 1, at('10T08:00:00'), 20 * MS_PER_DAY);
    expect(minutes.has(STEPS, 1, at('11T07:59:00'))).toBe(true);
    expect(minutes.has(STEPS, 1, at('11T08:00:00'))).toBe(false);
  });

  it('belong to one series and source', () => {
    const minutes = new MinuteSet();
    minutes.add(STEPS, 1, at('10T08:00:00'), 0);
    expect(minutes.has(STEPS, 2, at('10T08:00:00'))).toBe(false);
    expect(minutes.has(STEPS + 1, 1, at('10T08:00:00'))).toBe(false);
  });

  it('can be removed for one source', () => {
    const minutes = new MinuteSet();
    for (const sourceId of [1, 2]) minutes.add(STEPS, sourceId, at('10T08:00:00'), 600_000);
    minutes.clear(1, at('10T08:02:00'), at('10T08:04:00'));
    const stretch = (sourceId: number, from: string, to: string) => ({
      typeId: STEPS,
      sourceId,
      fromMs: at(`10T${from}`),
      toMs: at(`10T${to}`),
    });
    expect([...minutes.stretches()]).toEqual([
      stretch(1, '08:00', '08:02'),
      stretch(1, '08:04', '08:10'),
      stretch(2, '08:00', '08:10'),
    ]);
  });

  it('equal the union of all intervals', () => {
    const interval = fc.record({
      startMs: fc.integer({ min: 0, max: 3 * MS_PER_DAY }),
      ms: fc.integer({ min: 0, max: 9e6 }),
    });
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 20 }), fc.integer({ min: 0, max: 4 * 1440 }), (intervals, minute) => {
        const minutes = new MinuteSet();
        for (const { startMs, ms } of intervals) minutes.add(STEPS, 1, startMs, ms);
        const dirtyDays = intervals.some(
          ({ startMs, ms }) =>
            startMs < (minute + 1) * MS_PER_MINUTE &&
            (startMs + ms > minute * MS_PER_MINUTE || startMs >= minute * MS_PER_MINUTE),
        );
        expect(minutes.has(STEPS, 1, minute * MS_PER_MINUTE + 30_000)).toBe(dirtyDays);
      }),
    );
  });
});
