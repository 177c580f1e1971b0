import { defineRoute } from '../route.js';

/**
 * What became of a consent when its user was erased.
 * - `returned`: the vendor ended it, or had ended it already.
 * - `kept`: left as it is, because it is, or may be, the consent of another user here too.
 * - `failed`: the vendor did not confirm in time that it ended it.
 * - `not_possible`: the vendor offers no way to end it, or the service has no credentials for the vendor any more.
 * - `ended_before`: the connection had ended before, here or at the vendor, and no tokens were held any more to ask with.
 * - `none`: none was held, such as that of a device that pushes.
 */
export const CONSENT_ENDS = ['returned', 'kept', 'failed', 'not_possible', 'ended_before', 'none'] as const;
export type ConsentEnd = (typeof CONSENT_ENDS)[number];

export const getErasure = defineRoute({
  id: 'getErasure',
  method: 'GET',
  path: '/api/v1/erasures/{erasure_id}',
  tag: 'Users',
  summary: 'The receipt of an erasure: how much was erased',
  description:
    'For the `erasure_id` that the deletion of a user answered. Nothing in it says who the user was. The audit record of ' +
    'the deletion has the id as `resource_id`. A deletion that failed erased nothing and has no receipt.',
  auth: 'developer',
  audit: { resource: 'erasure', action: 'read' },
  status: 200,
  errors: [404],
});
