import { z } from 'zod';
import { defineRoute } from '../../route.js';

const providersSchema = z.array(z.string());
const fieldSchema = z.object({ code: z.string(), providers: providersSchema });

export const coverageSchema = z
  .object({
    providers: providersSchema,
    timeseries: z.array(
      z.object({
        name: z.string(),
        metrics: z.array(z.object({ code: z.string(), unit: z.string(), providers: providersSchema })),
      }),
    ),
    workout_fields: z.array(fieldSchema),
    sleep_fields: z.array(fieldSchema),
    menstrual_cycle_fields: z.array(fieldSchema),
    health_scores: z.array(fieldSchema),
  })
  .meta({ id: 'Coverage' });
export type Coverage = z.infer<typeof coverageSchema>;

export const getCoverage = defineRoute({
  id: 'getCoverage',
  method: 'GET',
  path: '/api/v1/meta/coverage',
  tag: 'Meta',
  summary: 'List the data types of each provider',
  auth: 'public',
  audit: { exempt: 'features of the service, no personal data' },
  status: 200,
  response: coverageSchema,
});
