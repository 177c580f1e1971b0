export { POLAR_PULL } from './adapter.js';
export { PULLED_SCORES, PULLED_SERIES } from './data-types.js';
export { exerciseIdOf, exercisePath, LISTED_DAYS } from './exercise-path.js';
export { READ_SAMPLES } from './exercise-samples.js';
export { instantOfExercise, listExercises } from './exercises.js';
export {
  ACTIVITIES,
  ALERTNESS,
  BEDTIME,
  CARDIO_LOAD,
  EXERCISES,
  HEART_RATE,
  PHYSICAL_INFO,
  RECHARGE,
  SLEEP,
} from './type-ids.js';
