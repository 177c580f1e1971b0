import { defineRoute } from '../../route.js';

export const listWorkouts = defineRoute({
  id: 'listWorkouts',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/workouts',
  tag: 'Events',
  summary: 'Workouts, newest first',
  description:
    'Workouts of all sources that start in `[start_date, end_date)`. With `filter_by_priority=true`, a workout that several ' +
    'sources recorded (types of one family, four fifths of the shorter one in common) is shown once, as the best source has it.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'workout', action: 'read' },
  status: 200,
  errors: [404],
});
