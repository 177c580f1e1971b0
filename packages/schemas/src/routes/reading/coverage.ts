import { z } from 'zod';

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

export const coverageRouteSchemas = {
  getCoverage: {
    response: coverageSchema,
  },
};
