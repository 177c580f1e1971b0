export type { PushAdapter, RecordPlan, WorkoutPlace } from './adapter.js';
export { ANDROID_RECORD_TYPES, ANDROID_SERIES, androidRecord } from './android-records.js';
export { androidSource } from './android-source.js';
export { androidWorkoutType } from './android-workouts.js';
export { PUSHED_WORKOUT_FIELDS, PUSHED_WORKOUT_SERIES, pushCoverage } from './push-coverage.js';
export { MAX_REJECTED, type PushCollection, type PushReport } from './push-report.js';
export { type PercentMeaning, pushConverter } from './push-units.js';
export { type PushedSource, pushedDeviceType } from './pushed-source.js';
export { type EnvelopeFault, type PushReading, readPush } from './read-push.js';
