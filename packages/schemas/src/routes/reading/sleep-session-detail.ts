import type { z } from 'zod';
import { attributionSchema } from '../../envelope.js';
import { userParams, uuidParam } from '../../parameters.js';
import { sessionSamplesSchema } from './session-samples.js';
import { sleepSessionSchema } from './sleep-sessions.js';

export const sleepSessionDetailSchema = sleepSessionSchema
  .extend({ samples: sessionSamplesSchema, attribution: attributionSchema })
  .meta({ id: 'SleepSessionDetail' });
export type SleepSessionDetail = z.infer<typeof sleepSessionDetailSchema>;

export const sleepSessionDetailRouteSchemas = {
  getSleepSession: {
    params: userParams.extend({ sleep_id: uuidParam }),
    response: sleepSessionDetailSchema,
  },
};
