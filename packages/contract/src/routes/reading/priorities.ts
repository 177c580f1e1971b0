import { defineRoute } from '../../route.js';

const description =
  'Lower numbers win where several sources have the same data. Changes apply from the next request on, also to past days; ' +
  'what is not named keeps its number.';
const common = { tag: 'Priorities', description, auth: 'developer', status: 200 } as const;
const listAudit = { exempt: 'settings of the service, no data of a person' } as const;

export const listProviderPriorities = defineRoute({
  ...common,
  id: 'listProviderPriorities',
  method: 'GET',
  path: '/api/v1/priorities/providers',
  summary: 'Priorities of providers, best first',
  audit: listAudit,
});

export const setProviderPriorities = defineRoute({
  ...common,
  id: 'setProviderPriorities',
  method: 'PUT',
  path: '/api/v1/priorities/providers',
  summary: 'Set priorities of several providers',
  audit: { resource: 'provider_priority', action: 'update' },
});

export const setProviderPriority = defineRoute({
  ...common,
  id: 'setProviderPriority',
  method: 'PUT',
  path: '/api/v1/priorities/providers/{provider}',
  summary: 'Set the priority of one provider',
  audit: { resource: 'provider_priority', action: 'update' },
});

export const listDeviceTypePriorities = defineRoute({
  ...common,
  id: 'listDeviceTypePriorities',
  method: 'GET',
  path: '/api/v1/priorities/device-types',
  summary: 'Priorities of device types, best first',
  audit: listAudit,
});

export const setDeviceTypePriorities = defineRoute({
  ...common,
  id: 'setDeviceTypePriorities',
  method: 'PUT',
  path: '/api/v1/priorities/device-types',
  summary: 'Set priorities of several device types',
  audit: { resource: 'device_type_priority', action: 'update' },
});

export const setDeviceTypePriority = defineRoute({
  ...common,
  id: 'setDeviceTypePriority',
  method: 'PUT',
  path: '/api/v1/priorities/device-types/{device_type}',
  summary: 'Set the priority of one device type',
  audit: { resource: 'device_type_priority', action: 'update' },
});

export const previewPriorities = defineRoute({
  id: 'previewPriorities',
  method: 'POST',
  path: '/api/v1/priorities/preview',
  tag: 'Priorities',
  summary: 'What a change of priorities would do',
  description:
    'Changes nothing. Counts the days of activity summaries whose movement, energy, heart rate or elevation would come from another source than now, and the nights likewise. Above 1,000 users it counts a random sample: `users_compared` is then less than `users_concerned`. Archived nights keep their source and are counted apart. Readings of nights, recovery and body values, which priorities decide too, are not counted; with ACTIVITY_MERGE=interval sources are counted one by one. What is not named keeps its number. The service counts for 30 s at most, then it answers 503.',
  auth: 'developer',
  audit: { exempt: 'counts over all users, no data of a person' },
  status: 200,
});

export const previewUpgrade = defineRoute({
  id: 'previewUpgrade',
  method: 'GET',
  path: '/api/v1/priorities/upgrade',
  tag: 'Priorities',
  summary: 'Count the days that the upgrade to one selection rule changed',
  description:
    'Counts the days and nights until the upgrade whose movement, energy, heart rate or sleep has another source than before, and why. Compares users with several sources, a random sample if there are many. Recovery and body values are not counted. The service counts for 30 s at most.',
  auth: 'developer',
  audit: { exempt: 'counts over all users, no data of a person' },
  status: 200,
});

export const previewUserPriorities = defineRoute({
  id: 'previewUserPriorities',
  method: 'POST',
  path: '/api/v1/users/{user_id}/priorities/preview',
  tag: 'Priorities',
  summary: 'What a change of priorities would do to the figures of one person',
  description:
    'Changes nothing. Gives the days of activity and the nights that summaries would show differently, as they are and as they would be; days and bounds are those of the summaries, 100 days at most. What is not named keeps its number.',
  auth: 'developer',
  audit: { resource: 'activity_summary', action: 'read' },
  status: 200,
});
