/** Stages of sleep in the order of the contract; `sleeping` is asleep with the stage unknown. */
export const SLEEP_STAGES = ['in_bed', 'awake', 'sleeping', 'light', 'deep', 'rem', 'unknown'] as const;
export type SleepStage = (typeof SLEEP_STAGES)[number];
