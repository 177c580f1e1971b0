import { z } from 'zod';
import { pushInstantSchema } from './item.js';
import { pushedSourceSchema } from './source.js';

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

export const pushDeletionSchema = z.union([deletedIdSchema, deletedRangeSchema]).meta({ id: 'PushDeletion' });
