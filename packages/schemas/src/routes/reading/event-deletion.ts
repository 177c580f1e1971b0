import { userParams, uuidParam } from '../../parameters.js';

const workoutParams = userParams.extend({ workout_id: uuidParam });
const sleepParams = userParams.extend({ sleep_id: uuidParam });
const cycleParams = userParams.extend({ cycle_id: uuidParam });

export const eventDeletionRouteSchemas = {
  deleteWorkout: {
    params: workoutParams,
  },
  restoreWorkout: {
    params: workoutParams,
  },
  deleteSleepSession: {
    params: sleepParams,
  },
  restoreSleepSession: {
    params: sleepParams,
  },
  deleteMenstrualCycle: {
    params: cycleParams,
  },
  restoreMenstrualCycle: {
    params: cycleParams,
  },
};
