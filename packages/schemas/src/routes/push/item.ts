import { z } from 'zod';
import { pushedSourceSchema } from './source.js';

/** An instant as clients send it; reads are lenient, see the description. */
export const pushInstantSchema = z.string().meta({
  id: 'PushInstant',
  format: 'date-time',
  description:
    'ISO 8601 with `Z` or an offset. Also taken: without an offset (UTC), a date alone (midnight UTC), and seconds or ' +
    'milliseconds since 1970 as a number',
});

/** What records, stages of sleep and workouts have in common. */
export const pushItemFields = {
  id: z.string().max(255).nullish().meta({ description: 'Id of the item in the store of the phone' }),
  parentId: z
    .string()
    .max(255)
    .nullish()
    .meta({ description: 'Id that the parts of one record or one night share in the store' }),
  startDate: pushInstantSchema.meta({ description: 'Start, or the instant of a single reading' }),
  endDate: pushInstantSchema.meta({ description: 'End, not before `startDate`; equal to it for a single reading' }),
  zoneOffset: z
    .string()
    .nullish()
    .meta({
      description: 'Offset of the wall clock from UTC at the item: `±HH:MM`, `Z`, or the name of a time zone',
      examples: ['+02:00'],
    }),
  source: pushedSourceSchema.nullish(),
  metadata: z
    .union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown()))])
    .nullish()
    .meta({
      description:
        'Further facts of the store. Of an object `HKTimeZone` (a zone such as `Europe/Warsaw`) replaces `zoneOffset`, ' +
        'and `HKMetadataKeySyncIdentifier` is the identity of an iPhone’s workout',
    }),
};
