import { defineRoute } from '../route.js';

const tag = 'Sync';

export const requestProviderSync = defineRoute({
  id: 'requestProviderSync',
  method: 'POST',
  path: '/api/v1/providers/{provider}/users/{user_id}/sync',
  tag,
  summary: 'Read new data of a user from the vendor now',
  description:
    'Works in webhook mode too. The answer comes immediately and names the run; with `async=false` it waits for the end of the run, for two minutes at most, and says what became of each kind of data. A second call while such a run is open answers with that run.',
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
    'Newest days first. At most 90 days are read, or as many as the vendor gives; the answer says how many. A vendor that exports the past on request (`webhook_backfill`) is asked for all that it gives before the consent, regardless of `days`, and delivers it in minutes to hours. One such run is open for a user and provider at most.',
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
  status: 200,
  errors: [400, 404, 409, 501, 503],
} as const;

export const listVendorWorkouts = defineRoute({
  ...vendorWorkouts,
  id: 'listVendorWorkouts',
  path: '/api/v1/providers/{provider}/users/{user_id}/workouts',
  summary: 'Workouts in the vendor’s own form',
  description:
    'The vendor is asked now, within its quota, and its JSON is handed on; nothing of it is stored. One page, newest first, with the vendor\u2019s own token of the next one. 501 for providers that cannot be asked; `/api/v1/users/{user_id}/events/workouts` has the stored workouts of all.',
});

export const getVendorWorkout = defineRoute({
  ...vendorWorkouts,
  id: 'getVendorWorkout',
  path: '/api/v1/providers/{provider}/users/{user_id}/workouts/{workout_id}',
  summary: 'One workout as the vendor words it',
  description:
    'The vendor is asked now, by its own id of the workout. 501 for providers that cannot be asked; `/api/v1/users/{user_id}/events/workouts/{workout_id}` has the stored form.',
});
