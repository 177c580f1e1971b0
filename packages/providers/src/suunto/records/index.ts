export { activityRecords, deliveredActivity } from './activity.js';
export { dailyRecords, type DayRange } from './daily-statistics.js';
export { deliveredRecovery, RECOVERY_SCORES, recoveryRecords } from './recovery.js';
export { SUUNTO_SERIES, typeIdOf } from './series.js';
export { bestSleeps, deliveredSleep, placedSleep, SLEEP_REACH_MS, sleepRecords } from './sleep.js';
export { SLEEP_SCORES } from './sleep-score.js';
export { NIGHT_TYPE_IDS } from './sleep-values.js';
export { replacedScores, replacedWindow } from './source.js';
export { deliveredWorkout, workoutOf } from './workout.js';
