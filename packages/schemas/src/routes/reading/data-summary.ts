import { z } from 'zod';
import { instantSchema, uuidSchema } from '../../envelope.js';
import { userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { momentParam } from './moment.js';

const countsSchema = z.record(z.string(), z.int());

export const dataSummarySchema = z
  .object({
    user_id: uuidSchema,
    total_data_points: z.int(),
    total_workouts: z.int(),
    total_sleep_events: z.int(),
    series_type_counts: countsSchema.meta({ description: 'By count, descending' }),
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
      .meta({ description: 'Latest sample of every series; distinguishes "not synced yet" from "no data"' }),
  })
  .meta({ id: 'DataSummary' });
export type DataSummary = z.infer<typeof dataSummarySchema>;

export const getDataSummary = defineRoute({
  id: 'getDataSummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/data',
  tag: 'Summaries',
  summary: 'Get the totals of a user’s stored data',
  description:
    'Counts by series, workout type and provider. Bounds select whole local days: samples count on the day they start, workouts and nights on the day they end.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'data_summary', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({ start_date: momentParam.optional(), end_date: momentParam.optional() }),
  response: dataSummarySchema,
});
