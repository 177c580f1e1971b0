import { z } from 'zod';
import { deviceTypeSchema } from './words.js';

/** UTC instant: ISO 8601 with `Z`. */
export const instantSchema = z.string().meta({ format: 'date-time' });
/** Calendar day, `YYYY-MM-DD`. */
export const daySchema = z.string().meta({ format: 'date' });
export const uuidSchema = z.string().meta({ format: 'uuid' });
/** UTC offset of the local time, `±HH:MM`. */
export const zoneOffsetSchema = z
  .string()
  .nullable()
  .meta({ examples: ['+02:00'] });

/** UTC offset that dates a record, `±HH:MM`. */
export const localOffsetSchema = z.string().meta({ examples: ['+02:00'] });

/** Source of a value. */
export const sourceMetadataSchema = z
  .object({
    provider: z.string(),
    source: z
      .string()
      .nullable()
      .meta({ description: 'Application that wrote the value into the vendor\u2019s store' }),
    device: z.string().nullable().meta({ description: 'Raw hardware model' }),
    device_type: deviceTypeSchema.nullable(),
    device_name: z.string().nullable().meta({ description: 'Product name of `device`' }),
  })
  .meta({ id: 'SourceMetadata' });
export type SourceMetadata = z.infer<typeof sourceMetadataSchema>;

/** Providers whose data is withheld from the response. Absent if no data is withheld. */
export const withheldSchema = z.array(z.string()).optional().meta({
  description:
    'Providers whose data is withheld because the vendor’s terms forbid it here. Their figures are null, and their rows are omitted. Absent if nothing is withheld',
});

/** Attribution texts that vendors require next to their data. */
export const attributionSchema = z
  .array(
    z.object({
      provider: z.string().meta({ description: 'Provider of the data in the response' }),
      text: z.string().meta({ description: 'Attribution text that the vendor requires next to its data' }),
    }),
  )
  .optional()
  .meta({ description: 'Attribution texts to show next to the data; absent if no vendor requires one' });
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
        'Samples from local days before this one are archived; their summaries remain. Present only if the range of a time series includes such days',
    }),
    withheld: withheldSchema,
    attribution: attributionSchema,
  })
  .meta({ id: 'TimeseriesMetadata' });

/** Envelope of lists of health data; a component named after its rows, such as `WorkoutPage`. */
export function envelope<T extends z.ZodType>(item: T) {
  const schema = z.object({ data: z.array(item), pagination: paginationSchema, metadata: timeseriesMetadataSchema });
  return schema.meta({ id: `${item.meta()?.id}Page`, description: 'Page of rows' });
}

export interface Envelope<T> {
  data: T[];
  pagination: z.infer<typeof paginationSchema>;
  metadata: z.infer<typeof timeseriesMetadataSchema>;
}
