import { userParams, uuidParam } from '../../parameters.js';
import { defineRoute } from '../../route.js';

const common = { method: 'DELETE', tag: 'Events', auth: 'key', scope: 'write', status: 204, errors: [404] } as const;

export const deleteWorkout = defineRoute({
  ...common,
  id: 'deleteWorkout',
  path: '/api/v1/users/{user_id}/events/workouts/{workout_id}',
  summary: 'Delete a workout',
  audit: { resource: 'workout', action: 'delete' },
  params: userParams.extend({ workout_id: uuidParam }),
});

export const deleteSleepSession = defineRoute({
  ...common,
  id: 'deleteSleepSession',
  path: '/api/v1/users/{user_id}/events/sleep/{sleep_id}',
  summary: 'Delete a night or nap',
  description: 'The stages that a device wrote go with it. Samples stay.',
  audit: { resource: 'sleep_session', action: 'delete' },
  params: userParams.extend({ sleep_id: uuidParam }),
});

export const deleteMenstrualCycle = defineRoute({
  ...common,
  id: 'deleteMenstrualCycle',
  path: '/api/v1/users/{user_id}/events/menstrual-cycles/{cycle_id}',
  summary: 'Delete a menstrual cycle',
  audit: { resource: 'menstrual_cycle', action: 'delete' },
  params: userParams.extend({ cycle_id: uuidParam }),
});
