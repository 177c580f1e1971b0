export { type RecordedSecond, readableReadings, type WorkoutFile, workoutFileBytes } from './workout-file.js';
