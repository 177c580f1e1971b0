import { MAX_PUSHED_DELETIONS, RMSSD_RULE, SLEEP_STAGES } from '@healthd/model';
import { z } from 'zod';
import { pushInstantSchema, pushItemFields } from './item.js';
import { androidPushRecordTypeSchema, applePushRecordTypeSchema } from './record-types.js';
import { pushedSourceSchema } from './source.js';
import { pushWorkoutSchema } from './workout.js';

const deletedIdSchema = z
  .object({
    id: z.string().min(1).meta({
      description: 'ID of the item in the phone’s store, or of the record or night that contains it',
    }),
    type: z.string().nullish().meta({ description: 'Item type, as pushed. Without it, the ID alone selects the item' }),
  })
  .meta({ id: 'PushDeletedItem', description: 'Item that was deleted on the phone' });

const deletedRangeSchema = z
  .object({
    type: z.string().meta({
      description:
        'Item type, as pushed; `SLEEP` or `HKCategoryTypeIdentifierSleepAnalysis` for sleep stages, `WORKOUT` or `HKWorkoutTypeIdentifier` for workouts',
    }),
    start: pushInstantSchema.meta({ description: 'First start to delete' }),
    end: pushInstantSchema.meta({ description: 'End of the range, exclusive; at most 31 days after `start`' }),
    source: pushedSourceSchema,
  })
  .meta({
    id: 'PushDeletedRange',
    description: 'Deletes a source’s items in a time range, for stores without item IDs. Items are selected by start',
  });

const pushDeletionSchema = z.union([deletedIdSchema, deletedRangeSchema]).meta({ id: 'PushDeletion' });

// Documents the format for client authors. The request checks only `provider`; the run rejects or ignores single
// items, so that one bad item does not fail the whole batch.

const pushHeartbeatSchema = z
  .object({
    time: z.number().meta({ description: 'Seconds since the start of the series' }),
    precededByGap: z.boolean().nullish().meta({ description: 'True if the sensor missed beats before this beat' }),
  })
  .meta({ id: 'PushHeartbeat', description: 'Beat of a HealthKit heartbeat series' });

export const pushRecordSchema = z
  .object({
    ...pushItemFields,
    type: z
      .union([applePushRecordTypeSchema, androidPushRecordTypeSchema])
      .nullish()
      .meta({ description: 'Record type of the health store. Other types are ignored and counted' }),
    value: z.union([z.number(), z.string()]).meta({ description: 'Reading in `unit`, as a number or as text' }),
    unit: z.string().nullish().meta({
      description: 'Unit of `value`, such as `count`, `bpm`, `km`, `mmol/L`, `%`. Default: the client’s usual unit',
    }),
    heartbeats: z
      .array(pushHeartbeatSchema)
      .max(RMSSD_RULE.maxIntervals + 1)
      .nullish()
      .meta({
        description:
          'Beats of a `HKQuantityTypeIdentifierHeartRateVariabilitySDNN` record, in order. The service computes `heart_rate_variability_rmssd` from them',
      }),
  })
  .meta({ id: 'PushRecord', description: 'Reading, or amount in an interval' });

export const pushSleepStageWordSchema = z.enum(SLEEP_STAGES).meta({
  id: 'PushSleepStage',
  description: '`sleeping` means asleep at an unknown stage. Other values are ignored and counted',
});

/** Vendor values next to a sleep stage. */
const pushSleepValueSchema = z
  .object({
    type: z.literal('sleepScore').meta({ description: 'The vendor’s sleep score' }),
    value: z.number().min(0).max(100).meta({ description: 'Points from 0 to 100' }),
    unit: z.string().nullish().meta({ description: '`score`' }),
  })
  .meta({ id: 'PushSleepValue', description: 'Value of the night that the stage belongs to' });

export const pushSleepSchema = z
  .object({
    ...pushItemFields,
    stage: pushSleepStageWordSchema,
    values: z
      .array(pushSleepValueSchema)
      .nullish()
      .meta({ description: 'Values of the night; unknown types are ignored' }),
  })
  .meta({ id: 'PushSleep', description: 'Sleep stage or time in bed; at most 24 hours' });

/** Body of a device push. The request checks only `provider`. */
export const pushPayloadSchema = z
  .object({
    provider: z
      .enum(['apple', 'samsung', 'google'])
      .meta({ id: 'PushProvider', description: 'Health store; `google` is Health Connect. Upper or lower case' }),
    sdkVersion: z.string().meta({ description: 'Version of the sending client', examples: ['0.11.0'] }),
    syncTimestamp: pushInstantSchema.meta({ description: 'Time when the client created the batch' }),
    data: z
      .object({
        records: z.array(pushRecordSchema).optional().meta({ description: 'Readings' }),
        sleep: z.array(pushSleepSchema).optional().meta({ description: 'Sleep stages' }),
        workouts: z.array(pushWorkoutSchema).optional().meta({ description: 'Workouts' }),
        deleted: z.array(pushDeletionSchema).max(MAX_PUSHED_DELETIONS).optional().meta({
          description:
            'Items that were deleted on the phone. Deletions apply before the batch’s other lists. They affect only data pushed for the same provider',
        }),
      })
      .meta({ id: 'PushData', description: 'Items of the batch; omitted lists are empty' })
      .optional(),
  })
  .meta({
    id: 'DevicePush',
    description:
      'Contents of a phone’s health store. Unknown members are ignored. The request checks only `provider`; the run checks every item',
  });
