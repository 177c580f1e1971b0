export { activityRecords, deliveredActivity } from './activity.js';
export { type DayRange, dailyRecords } from './daily-statistics.js';
export { deliveredRecovery, recoveryRecords } from './recovery.js';
export { LISTED_SERIES, typeIdOf } from './series.js';
export { bestSleeps, deliveredSleep, placedSleep, SLEEP_REACH_MS, sleepRecords } from './sleep.js';
export { replacedWindow } from './source.js';
export { deliveredWorkout, workoutOf } from './workout.js';
export { READING_SERIES, withReadings } from './workout-readings.js';
