import { MS_PER_MINUTE, type SleepStage } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { completeSleepSeconds, sumOfParts } from './sleep-seconds.js';

/** Returns consecutive stages with their minutes. */
function stagesOf(...pieces: readonly (readonly [SleepStage, number])[]) {
  let atMs = Date.parse('2026-05-10T22:00:00Z');
  return pieces.map(([stage, minutes]) => {
    const startMs = atMs;
    atMs += minutes * MS_PER_MINUTE;
    return { stage, startMs, endMs: atMs };
  });
}

describe('sumOfParts', () => {
  it('adds parts that are all known', () => {
    expect(sumOfParts([60, 0, 30])).toBe(90);
  });

  it('returns undefined if a part is missing', () => {
    expect(sumOfParts([60, undefined, 30])).toBeUndefined();
  });
});

describe('completeSleepSeconds', () => {
  it("prefers the vendor's total to the sum of the stages", () => {
    expect(completeSleepSeconds({ asleep: 25_000, deep: 5000, light: 15_000, rem: 4000 })).toMatchObject({
      asleepSeconds: 25_000,
    });
  });

  it("keeps the vendor's total if a stage is missing", () => {
    expect(completeSleepSeconds({ asleep: 25_000, deep: 5000, rem: 4000 })).toEqual({
      asleepSeconds: 25_000,
      awakeSeconds: undefined,
      deepSeconds: 5000,
      lightSeconds: undefined,
      remSeconds: 4000,
    });
  });

  it('leaves time asleep unknown if a stage and the total are missing', () => {
    expect(completeSleepSeconds({ deep: 5000, rem: 4000 })).toMatchObject({ asleepSeconds: undefined });
  });

  it('sums the intervals of a night without figures', () => {
    const stages = stagesOf(['light', 60], ['deep', 30], ['awake', 10], ['light', 20], ['rem', 40]);
    expect(completeSleepSeconds({}, stages)).toEqual({
      asleepSeconds: 9000,
      awakeSeconds: 600,
      deepSeconds: 1800,
      lightSeconds: 4800,
      remSeconds: 2400,
    });
  });

  it('takes only the missing stage from the intervals', () => {
    const stages = stagesOf(['light', 60], ['deep', 30], ['rem', 40]);
    expect(completeSleepSeconds({ deep: 1750, light: 3500 }, stages)).toMatchObject({
      asleepSeconds: 1750 + 3500 + 2400,
      deepSeconds: 1750,
      lightSeconds: 3500,
      remSeconds: 2400,
    });
  });

  it('counts a stage that is missing from staged intervals as 0 s', () => {
    expect(completeSleepSeconds({}, stagesOf(['light', 60], ['deep', 30]))).toMatchObject({
      asleepSeconds: 5400,
      awakeSeconds: 0,
      remSeconds: 0,
    });
  });

  it('leaves sums unknown if an interval has an unknown stage', () => {
    const stages = stagesOf(['light', 60], ['unknown', 30], ['rem', 40]);
    expect(completeSleepSeconds({}, stages)).toEqual({
      asleepSeconds: undefined,
      awakeSeconds: undefined,
      deepSeconds: undefined,
      lightSeconds: 3600,
      remSeconds: 2400,
    });
    expect(completeSleepSeconds({ asleep: 7000 }, stages).asleepSeconds).toBe(7000);
    expect(completeSleepSeconds({ deep: 60, light: 3600, rem: 2400 }, stages).asleepSeconds).toBe(6060);
    expect(completeSleepSeconds({ sleeping: 1800 }, stages)).toMatchObject({ asleepSeconds: 7800, deepSeconds: 0 });
  });

  it('sums the time asleep of intervals without distinct stages', () => {
    expect(completeSleepSeconds({}, stagesOf(['sleeping', 90], ['awake', 5]))).toEqual({
      asleepSeconds: 5400,
      awakeSeconds: 300,
      deepSeconds: undefined,
      lightSeconds: undefined,
      remSeconds: undefined,
    });
  });

  it('counts sleep in an unrecognized stage as time asleep', () => {
    expect(completeSleepSeconds({ sleeping: 20_000 })).toMatchObject({
      asleepSeconds: 20_000,
      lightSeconds: undefined,
    });
    expect(completeSleepSeconds({ sleeping: 600, deep: 5000, light: 15_000, rem: 4000 })).toMatchObject({
      asleepSeconds: 24_600,
    });
  });

  it('leaves all figures unknown if the stages are unknown', () => {
    expect(completeSleepSeconds({}, stagesOf(['unknown', 90]))).toEqual({});
  });

  it('counts overlapping intervals once', () => {
    const [piece] = stagesOf(['deep', 30]);
    const stages = piece ? [piece, piece, { ...piece, stage: 'light' as const, endMs: piece.endMs + 60_000 }] : [];
    expect(completeSleepSeconds({}, stages)).toMatchObject({
      asleepSeconds: 1860,
      deepSeconds: 1800,
      lightSeconds: 60,
    });
  });
});
