import { userParams, uuidParam } from '../../parameters.js';
import { defineRoute } from '../../route.js';

const workoutParams = userParams.extend({ workout_id: uuidParam });
const sleepParams = userParams.extend({ sleep_id: uuidParam });
const cycleParams = userParams.extend({ cycle_id: uuidParam });

const common = { tag: 'Events', auth: 'key', scope: 'write', status: 204, errors: [404] } as const;

const STAYS = 'It does not come back with a later file, push or sync, until it is restored.';

const RESTORED =
  'Comes back with the next file, push or sync that holds it; what cannot be read again stays gone. The id is that of the ' +
  'deleted one; the audit trail has it as `resource_id`. 404 when nothing was deleted under it.';

export const deleteWorkout = defineRoute({
  ...common,
  method: 'DELETE',
  id: 'deleteWorkout',
  path: '/api/v1/users/{user_id}/events/workouts/{workout_id}',
  summary: 'Delete a workout',
  description: `Its route goes with it, and all that was measured for it; what a device measured beside it stays. ${STAYS}`,
  audit: { resource: 'workout', action: 'delete', id: 'workout_id' },
  params: workoutParams,
});

export const restoreWorkout = defineRoute({
  ...common,
  method: 'POST',
  id: 'restoreWorkout',
  path: '/api/v1/users/{user_id}/events/workouts/{workout_id}/restore',
  summary: 'Let a deleted workout come back',
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
  description: `The stages that a device wrote go with it. ${STAYS} Samples stay.`,
  audit: { resource: 'sleep_session', action: 'delete', id: 'sleep_id' },
  params: sleepParams,
});

export const restoreSleepSession = defineRoute({
  ...common,
  method: 'POST',
  id: 'restoreSleepSession',
  path: '/api/v1/users/{user_id}/events/sleep/{sleep_id}/restore',
  summary: 'Let a deleted night or nap come back',
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
  summary: 'Let a deleted menstrual cycle come back',
  description: RESTORED,
  audit: { resource: 'menstrual_cycle', action: 'restore', id: 'cycle_id' },
  params: cycleParams,
});
