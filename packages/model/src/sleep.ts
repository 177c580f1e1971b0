/** Stages of sleep in the order of the contract; `sleeping` is asleep with the stage unknown. */
export const SLEEP_STAGES = ['in_bed', 'awake', 'sleeping', 'light', 'deep', 'rem', 'unknown'] as const;
export type SleepStage = (typeof SLEEP_STAGES)[number];

/**
 * Which stage holds where two intervals of one source overlap: the higher number, because it says more. Light, deep
 * and REM are equal; between equals the shorter interval holds, then the earlier start.
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

/** True for the stages whose time counts as sleep; lying in bed, waking and unknown time do not. */
export function isAsleep(stage: SleepStage): boolean {
  return ASLEEP.has(stage);
}
