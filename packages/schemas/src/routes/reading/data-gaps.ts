import { z } from 'zod';
import { daySchema, uuidSchema } from '../../envelope.js';
import { userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { momentParam } from './moment.js';

const daysSchema = z.object({ first_date: daySchema, last_date: daySchema });

export const dataGapsSchema = z
  .object({
    user_id: uuidSchema,
    archived_before: daySchema.nullable().meta({
      description: 'Local days before this one are archived: totals replaced their samples. Null if none are archived',
    }),
    items: z.array(
      z.object({
        provider: z.string(),
        connection_status: z.enum(['active', 'revoked', 'expired']).nullable().meta({
          description: 'Null for data without a connection, for example from an uploaded file',
        }),
        data_type: z.string().meta({ description: 'Series type, `sleep` or `workouts`' }),
        first_date: daySchema,
        last_date: daySchema,
        days_received: z.int().meta({ description: 'Days with data between the first and the last' }),
        days_empty: z
          .int()
          .meta({ description: 'Days without data between the first and the last, plus overdue days after the last' }),
        delivers_daily: z.boolean().meta({
          description:
            'True if a day without data is unexpected: at least a week is known, and four of five days have data',
        }),
        days_missing: z.int().meta({ description: 'Unexpected days without data' }),
        received: z.array(daysSchema).meta({ description: 'Ranges of days with data' }),
        missing: z.array(daysSchema),
      }),
    ),
  })
  .meta({ id: 'DataGaps' });
export type DataGaps = z.infer<typeof dataGapsSchema>;

export const getDataGaps = defineRoute({
  id: 'getDataGaps',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/data/gaps',
  tag: 'Summaries',
  summary: 'List days with missing data',
  description:
    'Groups by provider and data type. Covers local days from the first to the last day with the data type, within the optional bounds. If the connection is active and the data type arrives daily, later days are missing too, except the last two days, because data arrives late. Nights count on the day of waking, workouts on the day they end.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'data_summary', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({ start_date: momentParam.optional(), end_date: momentParam.optional() }),
  response: dataGapsSchema,
});
