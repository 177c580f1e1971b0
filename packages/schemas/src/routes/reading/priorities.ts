import { z } from 'zod';
import { daySchema, instantSchema, uuidSchema } from '../../envelope.js';
import { userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { deviceTypeSchema, providerSchema } from '../../words.js';
import { activitySummarySchema } from './activity.js';
import { lossReasonSchema } from './activity-explanation.js';
import { bodySummarySchema } from './body.js';
import { momentParam } from './moment.js';
import { recoverySummarySchema } from './recovery.js';
import { sleepSummarySchema } from './sleep-summary.js';

/** Rank of a provider or device type. The lowest number wins. Several providers may have the same number. */
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
    users: z.int().meta({ description: 'Users with at least one of these changes' }),
    days: z.int().meta({ description: 'Activity days that would get another source, summed over users' }),
    nights: z.int().meta({
      description: 'Dates of waking whose sleep, naps or readings would get another source, summed over users',
    }),
    nights_archived: z.int().meta({
      description:
        'Archived nights that would otherwise get another source. They keep their source and are not included in `nights`',
    }),
    recoveries: z.int().meta({
      description:
        'Recovery dates whose resting heart rate, HRV, oxygen saturation, sleep or score would get another source, summed over users',
    }),
    recoveries_archived: z.int().meta({
      description: 'Archived recovery dates that would otherwise get another source. Not included in `recoveries`',
    }),
    body_summaries: z.int().meta({
      description: 'Users whose current body summary, including its averages of seven days, would get another source',
    }),
    samples: z.int().meta({ description: 'Samples of the sources that would win these days' }),
    users_compared: z.int().meta({ description: 'Compared users; a random sample if there are many' }),
    users_concerned: z.int().meta({ description: 'Users with several sources whose ranking would change' }),
  })
  .meta({ id: 'PrioritiesPreview' });
export type PrioritiesPreview = z.infer<typeof prioritiesPreviewSchema>;

export const upgradePreviewSchema = z
  .object({
    upgraded_at: instantSchema
      .nullable()
      .meta({ description: 'Time of the upgrade; null if every user with several sources is newer' }),
    users_compared: z.int().meta({ description: 'Compared users; a random sample if there are many' }),
    users_concerned: z.int().meta({ description: 'Users from before the upgrade with several sources' }),
    days: z.int().meta({ description: 'Compared activity days' }),
    days_changed: z.int().meta({ description: 'Activity days whose source changed' }),
    merged_days: z.int().meta({ description: 'Compared activity days with several sources of one account' }),
    merged_days_changed: z.int().meta({
      description:
        'Days on which `merge=interval` counts these sources in a different order, so that totals may differ',
    }),
    nights: z.int().meta({ description: 'Compared dates of waking' }),
    nights_changed: z.int().meta({ description: 'Dates of waking whose source changed' }),
    nights_archived: z.int().meta({
      description: 'Archived dates of waking; they keep their earlier source',
    }),
    recoveries: z.int().meta({ description: 'Compared recovery dates' }),
    recoveries_changed: z.int().meta({ description: 'Recovery dates with figures of another provider' }),
    recoveries_archived: z.int().meta({
      description: 'Recovery dates that would change if archived nights did not keep their sources',
    }),
    body_summaries: z.int().meta({ description: 'Compared users with a current body summary' }),
    body_summaries_changed: z.int().meta({
      description: 'Users whose current body summary, including its averages of seven days, has another source',
    }),
    reasons: z
      .array(
        z.object({
          reason: z.enum([...lossReasonSchema.options, 'other_date']).meta({
            description:
              'Rule that ranked the earlier source behind, as in `lost_by`. `other_date`: its sleep counts on another date or as a nap',
          }),
          days: z.int().meta({ description: 'Days that changed for this reason' }),
          nights: z.int().meta({ description: 'Dates of waking that changed for this reason' }),
          recoveries: z.int().meta({ description: 'Recovery dates that changed for this reason' }),
          body_summaries: z.int().meta({ description: 'Body summaries that changed for this reason' }),
        }),
      )
      .meta({ description: 'Reasons, most frequent first; a row counts once, for its first group that changed' }),
  })
  .meta({ id: 'UpgradePreview' });
export type UpgradePreview = z.infer<typeof upgradePreviewSchema>;

/** Summary row before and after the change. */
function compared<T extends z.ZodType>(row: T) {
  return z.array(
    z.object({
      date: daySchema,
      before: row.nullable().meta({ description: 'Current row; null if a sleep would move to this date' }),
      after: row.nullable().meta({ description: 'New row; null if a sleep would move to another date' }),
    }),
  );
}

export const userPrioritiesPreviewSchema = z
  .object({
    days_compared: z.int().meta({ description: 'Days of the range with activity' }),
    nights_compared: z.int().meta({ description: 'Dates of waking in the range' }),
    recoveries_compared: z.int().meta({ description: 'Dates of the range with recovery' }),
    days: compared(activitySummarySchema).meta({ description: 'Days that would change, oldest first' }),
    nights: compared(sleepSummarySchema).meta({ description: 'Nights that would change, oldest first' }),
    recoveries: compared(recoverySummarySchema).meta({ description: 'Recovery dates that would change, oldest first' }),
    body: z
      .object({
        before: bodySummarySchema.nullable().meta({ description: 'Current body summary' }),
        after: bodySummarySchema.nullable().meta({ description: 'Body summary after the change' }),
      })
      .nullable()
      .meta({ description: 'Current body summary; null if it would not change' }),
  })
  .meta({ id: 'UserPrioritiesPreview' });
export type UserPrioritiesPreview = z.infer<typeof userPrioritiesPreviewSchema>;

const provider = providerSchema;
const deviceType = deviceTypeSchema;
const one = z.object({ priority: prioritySchema });

const providerRanks = z.array(z.object({ provider, priority: prioritySchema })).max(100);
const deviceTypeRanks = z.array(z.object({ device_type: deviceType, priority: prioritySchema })).max(100);

const changedRanks = z.object({
  providers: providerRanks.optional().meta({ description: 'New provider priorities' }),
  device_types: deviceTypeRanks.optional().meta({ description: 'New device type priorities' }),
});
export type ChangedRanks = z.infer<typeof changedRanks>;

const description =
  'The lowest number wins if several sources have the same data. Changes apply from the next request, also to past days. Omitted entries do not change.';

const common = { tag: 'Priorities', description, auth: 'developer', status: 200 } as const;

const listAudit = { exempt: 'settings of the service, no user data' } as const;

export const listProviderPriorities = defineRoute({
  ...common,
  id: 'listProviderPriorities',
  method: 'GET',
  path: '/api/v1/priorities/providers',
  summary: 'List provider priorities, best first',
  audit: listAudit,
  response: z.object({ items: z.array(providerPrioritySchema) }),
});

export const setProviderPriorities = defineRoute({
  ...common,
  id: 'setProviderPriorities',
  method: 'PUT',
  path: '/api/v1/priorities/providers',
  summary: 'Update several provider priorities',
  audit: { resource: 'provider_priority', action: 'update' },
  body: z.object({ priorities: providerRanks }),
  response: z.object({ items: z.array(providerPrioritySchema) }),
});

export const setProviderPriority = defineRoute({
  ...common,
  id: 'setProviderPriority',
  method: 'PUT',
  path: '/api/v1/priorities/providers/{provider}',
  summary: 'Update a provider’s priority',
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
  summary: 'List device type priorities, best first',
  audit: listAudit,
  response: z.object({ items: z.array(deviceTypePrioritySchema) }),
});

export const setDeviceTypePriorities = defineRoute({
  ...common,
  id: 'setDeviceTypePriorities',
  method: 'PUT',
  path: '/api/v1/priorities/device-types',
  summary: 'Update several device type priorities',
  audit: { resource: 'device_type_priority', action: 'update' },
  body: z.object({ priorities: deviceTypeRanks }),
  response: z.object({ items: z.array(deviceTypePrioritySchema) }),
});

export const setDeviceTypePriority = defineRoute({
  ...common,
  id: 'setDeviceTypePriority',
  method: 'PUT',
  path: '/api/v1/priorities/device-types/{device_type}',
  summary: 'Update a device type’s priority',
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
  summary: 'Preview a change of priorities for all users',
  description:
    'Changes nothing. Counts the activity days, nights, recovery dates and current body summaries that would get another source. An activity day counts if its movement, energy, heart rate or elevation would come from another source. Above 1,000 users it counts a random sample: `users_compared` is then less than `users_concerned`. Archived nights keep their source and are counted separately. With ACTIVITY_MERGE=interval, sources are counted one by one. Omitted entries keep their number. Returns 503 if counting takes longer than 30 s.',
  auth: 'developer',
  audit: { exempt: 'counts over all users, no user data' },
  status: 200,
  body: changedRanks,
  response: prioritiesPreviewSchema,
});

export const previewUpgrade = defineRoute({
  id: 'previewUpgrade',
  method: 'GET',
  path: '/api/v1/priorities/upgrade',
  tag: 'Priorities',
  summary: 'Count the days that the upgrade to a single selection rule changed',
  description:
    'Counts the days, nights and recovery dates before the upgrade and the current body summaries that now have another source, with the reasons. Compares users with several sources, or a random sample of them. Recovery figures came from one provider before, so a figure of another provider counts as a change. Merged days are counted separately. Returns 503 if counting takes longer than 30 s.',
  auth: 'developer',
  audit: { exempt: 'counts over all users, no user data' },
  status: 200,
  response: upgradePreviewSchema,
});

export const previewUserPriorities = defineRoute({
  id: 'previewUserPriorities',
  method: 'POST',
  path: '/api/v1/users/{user_id}/priorities/preview',
  tag: 'Priorities',
  summary: 'Preview a change of priorities for one user',
  description:
    'Changes nothing. Returns the activity days, nights and recovery dates whose summaries would change, and the body summary, before and after. The range works as in summaries; at most 100 days. Omitted entries keep their number.',
  auth: 'developer',
  audit: { resource: 'activity_summary', action: 'read' },
  status: 200,
  params: userParams,
  query: z.object({ start_date: momentParam, end_date: momentParam }),
  body: changedRanks,
  response: userPrioritiesPreviewSchema,
});
