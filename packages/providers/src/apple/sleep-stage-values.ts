import type { SleepStage } from '@healthd/model';

/** Values of a sleep analysis, by name and by the number that the oldest systems wrote. */
export const SLEEP_STAGES_BY_VALUE: ReadonlyMap<string, SleepStage> = new Map([
  ['HKCategoryValueSleepAnalysisInBed', 'in_bed'],
  ['HKCategoryValueSleepAnalysisAsleep', 'sleeping'],
  ['HKCategoryValueSleepAnalysisAsleepUnspecified', 'sleeping'],
  ['HKCategoryValueSleepAnalysisAwake', 'awake'],
  ['HKCategoryValueSleepAnalysisAsleepCore', 'light'],
  ['HKCategoryValueSleepAnalysisAsleepDeep', 'deep'],
  ['HKCategoryValueSleepAnalysisAsleepREM', 'rem'],
]);
export const SLEEP_STAGES_BY_NUMBER: readonly SleepStage[] = ['in_bed', 'sleeping', 'awake', 'light', 'deep', 'rem'];
