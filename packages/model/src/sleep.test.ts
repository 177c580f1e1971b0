import { describe, expect, it } from 'vitest';
import { isAsleep, SLEEP_STAGE_PRECEDENCE, SLEEP_STAGES, type SleepStage } from './sleep.js';

describe('sleep stages', () => {
  it('counts every stage of sleep as asleep, including unspecified sleep', () => {
    expect(SLEEP_STAGES.filter(isAsleep)).toEqual(['sleeping', 'light', 'deep', 'rem']);
  });

  it.each<[SleepStage, SleepStage]>([
    ['deep', 'awake'],
    ['rem', 'awake'],
    ['light', 'awake'],
    ['awake', 'sleeping'],
    ['sleeping', 'in_bed'],
    ['in_bed', 'unknown'],
  ])('%s takes precedence over an overlapping %s', (stronger, weaker) => {
    expect(SLEEP_STAGE_PRECEDENCE[stronger]).toBeGreaterThan(SLEEP_STAGE_PRECEDENCE[weaker]);
  });

  it('ranks light, deep and REM equally', () => {
    expect(new Set([SLEEP_STAGE_PRECEDENCE.light, SLEEP_STAGE_PRECEDENCE.deep, SLEEP_STAGE_PRECEDENCE.rem]).size).toBe(
      1,
    );
  });
});
