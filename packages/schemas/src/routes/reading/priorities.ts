import { z } from 'zod';
import { daySchema, instantSchema, uuidSchema } from '../../envelope.js';
import { userParams } from '../../parameters.js';
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

export const prioritiesRouteSchemas = {
  previewPriorities: {
    body: changedRanks,
    response: prioritiesPreviewSchema,
  },
  previewUpgrade: {
    response: upgradePreviewSchema,
  },
  previewUserPriorities: {
    params: userParams,
    query: z.object({ start_date: momentParam, end_date: momentParam }),
    body: changedRanks,
    response: userPrioritiesPreviewSchema,
  },
  listProviderPriorities: {
    response: z.object({ items: z.array(providerPrioritySchema) }),
  },
  setProviderPriorities: {
    body: z.object({ priorities: providerRanks }),
    response: z.object({ items: z.array(providerPrioritySchema) }),
  },
  setProviderPriority: {
    params: z.object({ provider }),
    body: one,
    response: providerPrioritySchema,
  },
  listDeviceTypePriorities: {
    response: z.object({ items: z.array(deviceTypePrioritySchema) }),
  },
  setDeviceTypePriorities: {
    body: z.object({ priorities: deviceTypeRanks }),
    response: z.object({ items: z.array(deviceTypePrioritySchema) }),
  },
  setDeviceTypePriority: {
    params: z.object({ device_type: deviceType }),
    body: one,
    response: deviceTypePrioritySchema,
  },
};
