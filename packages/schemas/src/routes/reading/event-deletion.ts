import { userParams, uuidParam } from '../../parameters.js';
import { defineRoute } from '../../route.js';

const workoutParams = userParams.extend({ workout_id: uuidParam });
const sleepParams = userParams.extend({ sleep_id: uuidParam });
const cycleParams = userParams.extend({ cycle_id: uuidParam });

const common = { tag: 'Events', auth: 'key', scope: 'write', status: 204, errors: [404] } as const;

const STAYS = 'Later files, pushes and syncs do not store it again until you restore it.';

const RESTORED =
  'The next file, push or sync that contains it stores it again. If no source delivers it again, it stays deleted. Pass the deleted ID, which the audit trail contains as `resource_id`. Returns 404 if no deletion has this ID.';

export const deleteWorkout = defineRoute({
  ...common,
  method: 'DELETE',
  id: 'deleteWorkout',
  path: '/api/v1/users/{user_id}/events/workouts/{workout_id}',
  summary: 'Delete a workout',
  description: `Also deletes its route and the samples recorded for it. Keeps other samples of the device. ${STAYS}`,
  audit: { resource: 'workout', action: 'delete', id: 'workout_id' },
  params: workoutParams,
});

export const restoreWorkout = defineRoute({
  ...common,
  method: 'POST',
  id: 'restoreWorkout',
  path: '/api/v1/users/{user_id}/events/workouts/{workout_id}/restore',
  summary: 'Restore a deleted workout',
  description: RESTORED,
  audit: { resource: 'workout', action: 'restore', id: 'workout_id' },
  params: workoutParams,
});

export const deleteSleepSession = defineRoute({
  ...common,
  method: 'DELETE',
  id: 'deleteSleepSession',
  path: '/api/v1/users/{user_id}/events/sleep/{sleep_id}',
  summary: 'Delete a night or nap',
  description: `Also deletes the device’s sleep stages. ${STAYS} Samples are kept.`,
  audit: { resource: 'sleep_session', action: 'delete', id: 'sleep_id' },
  params: sleepParams,
});

export const restoreSleepSession = defineRoute({
  ...common,
  method: 'POST',
  id: 'restoreSleepSession',
  path: '/api/v1/users/{user_id}/events/sleep/{sleep_id}/restore',
  summary: 'Restore a deleted night or nap',
  description: RESTORED,
  audit: { resource: 'sleep_session', action: 'restore', id: 'sleep_id' },
  params: sleepParams,
});

export const deleteMenstrualCycle = defineRoute({
  ...common,
  method: 'DELETE',
  id: 'deleteMenstrualCycle',
  path: '/api/v1/users/{user_id}/events/menstrual-cycles/{cycle_id}',
  summary: 'Delete a menstrual cycle',
  description: STAYS,
  audit: { resource: 'menstrual_cycle', action: 'delete', id: 'cycle_id' },
  params: cycleParams,
});

export const restoreMenstrualCycle = defineRoute({
  ...common,
  method: 'POST',
  id: 'restoreMenstrualCycle',
  path: '/api/v1/users/{user_id}/events/menstrual-cycles/{cycle_id}/restore',
  summary: 'Restore a deleted menstrual cycle',
  description: RESTORED,
  audit: { resource: 'menstrual_cycle', action: 'restore', id: 'cycle_id' },
  params: cycleParams,
});
