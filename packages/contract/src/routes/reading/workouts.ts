import { defineRoute } from '../../route.js';

export const listWorkouts = defineRoute({
  id: 'listWorkouts',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/workouts',
  tag: 'Events',
  summary: 'Workouts, newest first',
  description:
    'Workouts that start in `[start_date, end_date)`. One that several sources recorded (types of one family, starts within ' +
    'five minutes, four fifths of the shorter one in common) is shown once, by the best source.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'workout', action: 'read' },
  status: 200,
  errors: [404],
});
