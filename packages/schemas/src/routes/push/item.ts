import { z } from 'zod';
import { pushedSourceSchema } from './source.js';

/** Instant as clients send it. */
export const pushInstantSchema = z.string().meta({
  id: 'PushInstant',
  format: 'date-time',
  description:
    'ISO 8601 with `Z` or an offset. Also accepted: a date-time without an offset (UTC), a date (midnight UTC), and Unix seconds or milliseconds as a number',
});

/** Common fields of records, sleep stages and workouts. */
export const pushItemFields = {
  id: z.string().max(255).nullish().meta({ description: 'Item ID in the phone’s store' }),
  parentId: z
    .string()
    .max(255)
    .nullish()
    .meta({ description: 'ID shared by the parts of one record or night in the store' }),
  startDate: pushInstantSchema.meta({ description: 'Start, or the time of a single reading' }),
  endDate: pushInstantSchema.meta({ description: 'End, not before `startDate`; equal to it for a single reading' }),
  zoneOffset: z
    .string()
    .nullish()
    .meta({
      description: 'UTC offset of the item’s local time: `±HH:MM`, `Z`, or a time zone name',
      examples: ['+02:00'],
    }),
  source: pushedSourceSchema.nullish(),
  metadata: z
    .union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown()))])
    .nullish()
    .meta({
      description:
        'Additional metadata. In an object, `HKTimeZone` (a time zone such as `Europe/Warsaw`) replaces `zoneOffset`, and `HKMetadataKeySyncIdentifier` identifies an iPhone workout',
    }),
};
