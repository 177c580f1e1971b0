import type { z } from 'zod';
import { attributionSchema, daySchema } from '../../envelope.js';
import { userParams, uuidParam } from '../../parameters.js';
import { sessionSamplesSchema } from './session-samples.js';
import { sleepSessionSchema } from './sleep-sessions.js';

export const sleepSessionDetailSchema = sleepSessionSchema
  .extend({
    summary_date: daySchema.meta({
      description: 'Date of the sleep summary that this session belongs to. Copies of one sleep belong to one date',
    }),
    samples: sessionSamplesSchema,
    attribution: attributionSchema,
  })
  .meta({ id: 'SleepSessionDetail' });
export type SleepSessionDetail = z.infer<typeof sleepSessionDetailSchema>;

export const sleepSessionDetailRouteSchemas = {
  getSleepSession: {
    params: userParams.extend({ sleep_id: uuidParam }),
    response: sleepSessionDetailSchema,
  },
};
