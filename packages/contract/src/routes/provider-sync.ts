import { defineRoute } from '../route.js';

const tag = 'Sync';

export const requestProviderSync = defineRoute({
  id: 'requestProviderSync',
  method: 'POST',
  path: '/api/v1/providers/{provider}/users/{user_id}/sync',
  tag,
  summary: 'Read new data of a user from the vendor now',
  description:
    'Works in webhook mode too. The answer comes at once and names the run; with `async=false` it waits for the end of the run, for two minutes at most, and says what became of each kind of data. A second call while such a run is open answers with that run.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 200,
  errors: [400, 404, 409, 501],
});

export const requestHistoricalSync = defineRoute({
  id: 'requestHistoricalSync',
  method: 'POST',
  path: '/api/v1/providers/{provider}/users/{user_id}/sync/historical',
  tag,
  summary: 'Read the past of a user from the vendor',
  description:
    'Newest days first. At most 90 days are read, or as many as the vendor gives; the answer says how many. One such run is open for a user and provider at most.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 200,
  errors: [400, 404, 409],
});

const vendorWorkouts = {
  method: 'GET',
  tag,
  auth: 'key',
  scope: 'read',
  audit: { resource: 'workout', action: 'read' },
  deprecated: true,
  status: 200,
  errors: [404, 501],
} as const;

export const listVendorWorkouts = defineRoute({
  ...vendorWorkouts,
  id: 'listVendorWorkouts',
  path: '/api/v1/providers/{provider}/users/{user_id}/workouts',
  summary: 'Workouts as the vendor words them',
  description: 'No provider offers it here: `/api/v1/users/{user_id}/events/workouts` has all workouts.',
});

export const getVendorWorkout = defineRoute({
  ...vendorWorkouts,
  id: 'getVendorWorkout',
  path: '/api/v1/providers/{provider}/users/{user_id}/workouts/{workout_id}',
  summary: 'One workout as the vendor words it',
  description: 'No provider offers it here: `/api/v1/users/{user_id}/events/workouts/{workout_id}` has it.',
});
