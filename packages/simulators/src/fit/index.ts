export { type RecordedSecond, type WorkoutFile, workoutFileBytes } from './workout-file.js';
