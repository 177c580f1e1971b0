import { z } from 'zod';
import { daySchema, instantSchema, uuidSchema } from '../../envelope.js';
import { userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { deviceTypeSchema, providerSchema } from '../../words.js';
import { activitySummarySchema } from './activity.js';
import { lossReasonSchema } from './activity-explanation.js';
import { momentParam } from './moment.js';
import { sleepSummarySchema } from './sleep-summary.js';

/** Lower wins; numbers need not be different. */
const prioritySchema = z.int().min(1).max(100);
const row = { priority: z.int(), id: uuidSchema, created_at: instantSchema, updated_at: instantSchema };

export const providerPrioritySchema = z.object({ provider: z.string(), ...row }).meta({ id: 'ProviderPriority' });
export type ProviderPriority = z.infer<typeof providerPrioritySchema>;

export const deviceTypePrioritySchema = z
  .object({ device_type: z.string(), ...row })
  .meta({ id: 'DeviceTypePriority' });
export type DeviceTypePriority = z.infer<typeof deviceTypePrioritySchema>;

export const prioritiesPreviewSchema = z
  .object({
    users: z.int().meta({ description: 'Users with such days or nights' }),
    days: z
      .int()
      .meta({ description: 'Days of activity that would come from another source, those of each user counted' }),
    nights: z.int().meta({ description: 'Nights that would come from another source, counted likewise' }),
    nights_archived: z.int().meta({
      description:
        'Nights that would come from another source if they were not archived. They keep their source and are not in `nights`',
    }),
    samples: z.int().meta({ description: 'Samples of the sources that would win these days' }),
    users_compared: z.int().meta({ description: 'Users whose days and nights were compared: a random sample of many' }),
    users_concerned: z.int().meta({ description: 'Users with several sources, one of which would rank differently' }),
  })
  .meta({ id: 'PrioritiesPreview' });
export type PrioritiesPreview = z.infer<typeof prioritiesPreviewSchema>;

export const upgradePreviewSchema = z
  .object({
    upgraded_at: instantSchema
      .nullable()
      .meta({ description: 'Time of the upgrade; null if no user with several sources is older' }),
    users_compared: z.int().meta({ description: 'Users whose days and nights were compared: a random sample of many' }),
    users_concerned: z.int().meta({ description: 'Users with several sources from before the upgrade' }),
    days: z.int().meta({ description: 'Days of activity that were compared' }),
    days_changed: z.int().meta({ description: 'Days of activity with another source than before' }),
    nights: z.int().meta({ description: 'Dates of waking that were compared' }),
    nights_changed: z.int().meta({ description: 'Dates of waking with another source than before' }),
    nights_archived: z.int().meta({
      description: 'Dates of waking that keep the earlier source because they are archived; they did not change',
    }),
    reasons: z
      .array(
        z.object({
          reason: z.enum([...lossReasonSchema.options, 'other_date']).meta({
            description:
              'Why the earlier source lost, as `lost_by`. `other_date`: its sleep counts on another date or as a nap',
          }),
          days: z.int().meta({ description: 'Days that changed for this reason' }),
          nights: z.int().meta({ description: 'Dates of waking that changed for this reason' }),
        }),
      )
      .meta({ description: 'The most frequent reason first; a day counts for its first group that changed' }),
  })
  .meta({ id: 'UpgradePreview' });
export type UpgradePreview = z.infer<typeof upgradePreviewSchema>;

/** A row of a summary as it is and as it would be. */
function compared<T extends z.ZodType>(row: T) {
  return z.array(
    z.object({
      date: daySchema,
      before: row.nullable().meta({ description: 'Null if a sleep would move to this date' }),
      after: row.nullable().meta({ description: 'Null if a sleep would move to another date' }),
    }),
  );
}

export const userPrioritiesPreviewSchema = z
  .object({
    days_compared: z.int().meta({ description: 'Days of the range that have activity' }),
    nights_compared: z.int().meta({ description: 'Dates of the range on which the person woke' }),
    days: compared(activitySummarySchema).meta({ description: 'Days that would be shown differently, oldest first' }),
    nights: compared(sleepSummarySchema).meta({ description: 'Nights that would be shown differently, oldest first' }),
  })
  .meta({ id: 'UserPrioritiesPreview' });
export type UserPrioritiesPreview = z.infer<typeof userPrioritiesPreviewSchema>;

const provider = providerSchema;
const deviceType = deviceTypeSchema;
const one = z.object({ priority: prioritySchema });

const providerRanks = z.array(z.object({ provider, priority: prioritySchema })).max(100);
const deviceTypeRanks = z.array(z.object({ device_type: deviceType, priority: prioritySchema })).max(100);

const changedRanks = z.object({
  providers: providerRanks.optional().meta({ description: 'Priorities of providers as they would be' }),
  device_types: deviceTypeRanks.optional().meta({ description: 'Priorities of device types as they would be' }),
});
export type ChangedRanks = z.infer<typeof changedRanks>;

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
  response: z.object({ items: z.array(providerPrioritySchema) }),
});

export const setProviderPriorities = defineRoute({
  ...common,
  id: 'setProviderPriorities',
  method: 'PUT',
  path: '/api/v1/priorities/providers',
  summary: 'Set priorities of several providers',
  audit: { resource: 'provider_priority', action: 'update' },
  body: z.object({ priorities: providerRanks }),
  response: z.object({ items: z.array(providerPrioritySchema) }),
});

export const setProviderPriority = defineRoute({
  ...common,
  id: 'setProviderPriority',
  method: 'PUT',
  path: '/api/v1/priorities/providers/{provider}',
  summary: 'Set the priority of one provider',
  audit: { resource: 'provider_priority', action: 'update' },
  params: z.object({ provider }),
  body: one,
  response: providerPrioritySchema,
});

export const listDeviceTypePriorities = defineRoute({
  ...common,
  id: 'listDeviceTypePriorities',
  method: 'GET',
  path: '/api/v1/priorities/device-types',
  summary: 'Priorities of device types, best first',
  audit: listAudit,
  response: z.object({ items: z.array(deviceTypePrioritySchema) }),
});

export const setDeviceTypePriorities = defineRoute({
  ...common,
  id: 'setDeviceTypePriorities',
  method: 'PUT',
  path: '/api/v1/priorities/device-types',
  summary: 'Set priorities of several device types',
  audit: { resource: 'device_type_priority', action: 'update' },
  body: z.object({ priorities: deviceTypeRanks }),
  response: z.object({ items: z.array(deviceTypePrioritySchema) }),
});

export const setDeviceTypePriority = defineRoute({
  ...common,
  id: 'setDeviceTypePriority',
  method: 'PUT',
  path: '/api/v1/priorities/device-types/{device_type}',
  summary: 'Set the priority of one device type',
  audit: { resource: 'device_type_priority', action: 'update' },
  params: z.object({ device_type: deviceType }),
  body: one,
  response: deviceTypePrioritySchema,
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
  body: changedRanks,
  response: prioritiesPreviewSchema,
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
  response: upgradePreviewSchema,
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
  params: userParams,
  query: z.object({ start_date: momentParam, end_date: momentParam }),
  body: changedRanks,
  response: userPrioritiesPreviewSchema,
});
