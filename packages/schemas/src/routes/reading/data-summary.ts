import { z } from 'zod';
import { instantSchema, uuidSchema } from '../../envelope.js';
import { userParams } from '../../parameters.js';
import { momentParam } from './moment.js';

const countsSchema = z.record(z.string(), z.int());

export const dataSummarySchema = z
  .object({
    user_id: uuidSchema,
    total_data_points: z.int(),
    total_workouts: z.int(),
    total_sleep_events: z.int(),
    series_type_counts: countsSchema.meta({ description: 'Descending by count' }),
    workout_type_counts: countsSchema,
    by_provider: z.array(
      z.object({
        provider: z.string(),
        data_points: z.int(),
        series_counts: countsSchema,
        workout_count: z.int(),
        sleep_count: z.int(),
      }),
    ),
    has_womens_health_data: z.boolean(),
    last_seen: z
      .record(z.string(), instantSchema)
      .meta({ description: 'Latest sample of every series, to distinguish "not synced yet" from "no data"' }),
  })
  .meta({ id: 'DataSummary' });
export type DataSummary = z.infer<typeof dataSummarySchema>;

export const dataSummaryRouteSchemas = {
  getDataSummary: {
    params: userParams,
    query: z.object({ start_date: momentParam.optional(), end_date: momentParam.optional() }),
    response: dataSummarySchema,
  },
};
