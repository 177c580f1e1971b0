import { SECONDS_PER_HOUR } from './time/units.js';

/** Minimum time asleep of a night in seconds. A shorter sleep may be a nap. */
export const NIGHT_SECONDS = 3 * SECONDS_PER_HOUR;

/** Sleep stages in the order of the contract; `sleeping` is asleep in an unknown stage. */
export const SLEEP_STAGES = ['in_bed', 'awake', 'sleeping', 'light', 'deep', 'rem', 'unknown'] as const;
export type SleepStage = (typeof SLEEP_STAGES)[number];

/**
 * Precedence if two intervals of one source overlap: the higher number wins, because it is more specific. Light, deep
 * and REM are equal; among equals the shorter interval wins, then the earlier start.
 */
export const SLEEP_STAGE_PRECEDENCE: Readonly<Record<SleepStage, number>> = {
  deep: 4,
  rem: 4,
  light: 4,
  awake: 3,
  sleeping: 2,
  in_bed: 1,
  unknown: 0,
};

const ASLEEP: ReadonlySet<SleepStage> = new Set(['sleeping', 'light', 'deep', 'rem']);

/** True for stages that count as sleep; lying in bed, awake and unknown do not. */
export function isAsleep(stage: SleepStage): boolean {
  return ASLEEP.has(stage);
}
