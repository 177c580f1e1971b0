import { defineRoute } from '../../route.js';

export const getWorkout = defineRoute({
  id: 'getWorkout',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/workouts/{workout_id}',
  tag: 'Events',
  summary: 'One workout with its samples',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'workout', action: 'read' },
  status: 200,
  errors: [404],
});
