import { z } from 'zod';
import { deviceTypeSchema } from './words.js';

/** An instant in UTC: ISO 8601 with `Z`. */
export const instantSchema = z.string().meta({ format: 'date-time' });
/** A calendar day, `YYYY-MM-DD`. */
export const daySchema = z.string().meta({ format: 'date' });
export const uuidSchema = z.string().meta({ format: 'uuid' });
/** Wall-clock offset from UTC, `±HH:MM`. */
export const zoneOffsetSchema = z
  .string()
  .nullable()
  .meta({ examples: ['+02:00'] });

/** Offset from UTC at which a record is dated, `±HH:MM`. */
export const localOffsetSchema = z.string().meta({ examples: ['+02:00'] });

/** Where a value comes from. */
export const sourceMetadataSchema = z
  .object({
    provider: z.string(),
    source: z
      .string()
      .nullable()
      .meta({ description: 'Application that wrote the value into the vendor\u2019s store' }),
    device: z.string().nullable().meta({ description: 'Raw hardware model' }),
    device_type: deviceTypeSchema.nullable(),
    device_name: z.string().nullable().meta({ description: 'Marketing name of `device`' }),
  })
  .meta({ id: 'SourceMetadata' });
export type SourceMetadata = z.infer<typeof sourceMetadataSchema>;

/** Providers whose data is left out of an answer; absent if nothing is. */
export const withheldSchema = z.array(z.string()).optional().meta({
  description:
    'Providers whose data is withheld, because the vendor’s terms forbid it here: figures are null, rows are left out. Absent if nothing is withheld',
});

/** Text that vendors demand beside their data. */
export const attributionSchema = z
  .array(
    z.object({
      provider: z.string().meta({ description: 'Provider whose data the answer contains' }),
      text: z.string().meta({ description: 'Text that the vendor demands beside its data' }),
    }),
  )
  .optional()
  .meta({ description: 'Texts to show beside the data; absent if no vendor of this data demands one' });
export type Attribution = NonNullable<z.infer<typeof attributionSchema>>;

export const paginationSchema = z
  .object({
    next_cursor: z.string().nullable(),
    previous_cursor: z.string().nullable(),
    has_more: z.boolean(),
    total_count: z.int().nullable(),
  })
  .meta({ id: 'Pagination' });

export const timeseriesMetadataSchema = z
  .object({
    resolution: z.string().nullable(),
    sample_count: z.int().nullable(),
    start_time: instantSchema.nullable(),
    end_time: instantSchema.nullable(),
    archived_before: daySchema.optional().meta({
      description:
        'Samples of local days before this one were archived: they live on in the summaries of their days. There only where the range of a time series reaches into such days',
    }),
    withheld: withheldSchema,
    attribution: attributionSchema,
  })
  .meta({ id: 'TimeseriesMetadata' });

/** The envelope of every list of health data; a component named after its rows, such as `WorkoutPage`. */
export function envelope<T extends z.ZodType>(item: T) {
  const schema = z.object({ data: z.array(item), pagination: paginationSchema, metadata: timeseriesMetadataSchema });
  return schema.meta({ id: `${item.meta()?.id}Page`, description: 'A page of rows' });
}

export interface Envelope<T> {
  data: T[];
  pagination: z.infer<typeof paginationSchema>;
  metadata: z.infer<typeof timeseriesMetadataSchema>;
}
