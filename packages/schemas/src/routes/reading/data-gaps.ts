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
      description: 'Local days before this one are archived: their samples became totals. Null when none are',
    }),
    items: z.array(
      z.object({
        provider: z.string(),
        connection_status: z.enum(['active', 'revoked', 'expired']).nullable().meta({
          description: 'Null where data came without a connection, from an uploaded file for example',
        }),
        data_type: z.string().meta({ description: 'A series type, `sleep` or `workouts`' }),
        first_date: daySchema,
        last_date: daySchema,
        days_received: z.int().meta({ description: 'Days with data between the first and the last' }),
        days_empty: z
          .int()
          .meta({ description: 'Days without between the first and the last, and overdue ones after it' }),
        delivers_daily: z.boolean().meta({
          description:
            'Whether a day without data is unexpected: a week or more is known and has data on four days of five',
        }),
        days_missing: z.int().meta({ description: 'Empty days that are unexpected' }),
        received: z.array(daysSchema).meta({ description: 'The days with data, neighbouring days joined' }),
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
  summary: 'Days on which data that usually comes did not come',
  description:
    'By provider and data type, on local days between the first and the last day that has such data, within the bounds ' +
    'where they are given. Where the connection is active and a type comes daily, days after the last one are missing too, ' +
    'from two days ago backwards, because data arrive late. Nights count on the day of waking, workouts on the day they end.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'data_summary', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({ start_date: momentParam.optional(), end_date: momentParam.optional() }),
  response: dataGapsSchema,
});
