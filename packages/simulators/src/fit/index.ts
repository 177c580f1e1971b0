export { type FitMessageKind, FitWriter } from './fit-writer.js';
export { type RecordedSecond, readableReadings, type WorkoutFile, workoutFileBytes } from './workout-file.js';
