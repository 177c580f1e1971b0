import { MAX_PUSHED_DELETIONS, SLEEP_STAGES } from '@healthd/model';
import { z } from 'zod';
import { pushInstantSchema, pushItemFields } from './item.js';
import { androidPushRecordTypeSchema, applePushRecordTypeSchema } from './record-types.js';
import { pushedSourceSchema } from './source.js';
import { pushWorkoutSchema } from './workout.js';

const deletedIdSchema = z
  .object({
    id: z.string().min(1).meta({
      description: 'Id of the item in the store of the phone, or of the record or night that it is a part of',
    }),
    type: z
      .string()
      .nullish()
      .meta({ description: 'Type of the item, as it was pushed. Without one the id alone says which item it is' }),
  })
  .meta({ id: 'PushDeletedItem', description: 'One item that was deleted on the phone' });

const deletedRangeSchema = z
  .object({
    type: z.string().meta({
      description:
        'Type of the items, as it was pushed; `SLEEP` or `HKCategoryTypeIdentifierSleepAnalysis` for stages of sleep, `WORKOUT` or ' +
        '`HKWorkoutTypeIdentifier` for workouts',
    }),
    start: pushInstantSchema.meta({ description: 'First start that is deleted' }),
    end: pushInstantSchema.meta({ description: 'End of the range, not included; 31 days after `start` at most' }),
    source: pushedSourceSchema,
  })
  .meta({
    id: 'PushDeletedRange',
    description: 'What a source gave in a time, for stores whose items have no ids. Items count by their start',
  });

const pushDeletionSchema = z.union([deletedIdSchema, deletedRangeSchema]).meta({ id: 'PushDeletion' });

// Declared for authors of clients. Only `provider` is checked before the answer: what does not fit
// is rejected or ignored item by item in the run, so that one bad item never costs a phone its batch.

export const pushRecordSchema = z
  .object({
    ...pushItemFields,
    type: z
      .union([applePushRecordTypeSchema, androidPushRecordTypeSchema])
      .nullish()
      .meta({ description: 'What was measured. Any other type is ignored and counted' }),
    value: z.union([z.number(), z.string()]).meta({ description: 'The reading in `unit`; a number, or one as text' }),
    unit: z.string().nullish().meta({
      description:
        'Unit of `value`, such as `count`, `bpm`, `km`, `mmol/L`, `%`. Without one the usual unit of the client counts',
    }),
  })
  .meta({ id: 'PushRecord', description: 'One reading, or the amount of one interval' });

export const pushSleepStageWordSchema = z.enum(SLEEP_STAGES).meta({
  id: 'PushSleepStage',
  description: '`sleeping`: asleep, stage not known. Words other than these are ignored and counted',
});

/** What some vendors put beside a stage of sleep. */
const pushSleepValueSchema = z
  .object({
    type: z.literal('sleepScore').meta({ description: 'The vendor’s score of the night' }),
    value: z.number().min(0).max(100).meta({ description: 'Points from 0 to 100' }),
    unit: z.string().nullish().meta({ description: '`score`' }),
  })
  .meta({ id: 'PushSleepValue', description: 'A figure of the night to which a stage belongs' });

export const pushSleepSchema = z
  .object({
    ...pushItemFields,
    stage: pushSleepStageWordSchema,
    values: z.array(pushSleepValueSchema).nullish().meta({ description: 'Figures of the night; others are ignored' }),
  })
  .meta({ id: 'PushSleep', description: 'One stage of sleep, or time in bed; at most 24 hours' });

/** What a client sends. Only `provider` is looked at before the answer. */
export const pushPayloadSchema = z
  .object({
    provider: z
      .enum(['apple', 'samsung', 'google'])
      .meta({ id: 'PushProvider', description: 'The health store; `google` is Health Connect. Read in any case' }),
    sdkVersion: z.string().meta({ description: 'Version of the sending client', examples: ['0.11.0'] }),
    syncTimestamp: pushInstantSchema.meta({ description: 'When the client put the batch together' }),
    data: z
      .object({
        records: z.array(pushRecordSchema).optional().meta({ description: 'Readings' }),
        sleep: z.array(pushSleepSchema).optional().meta({ description: 'Stages of sleep' }),
        workouts: z.array(pushWorkoutSchema).optional().meta({ description: 'Workouts' }),
        deleted: z
          .array(pushDeletionSchema)
          .max(MAX_PUSHED_DELETIONS)
          .optional()
          .meta({
            description:
              'Items that were deleted on the phone. Deletions apply before the other lists of the batch and reach only what a push ' +
              'of the same provider wrote',
          }),
      })
      .meta({ id: 'PushData', description: 'Items of the batch; a list that is left out is empty' })
      .optional(),
  })
  .meta({
    id: 'DevicePush',
    description:
      'What the health store of a phone holds. Members that are not named here are ignored. `provider` is checked before ' +
      'the answer; everything else by the run, item by item',
  });
