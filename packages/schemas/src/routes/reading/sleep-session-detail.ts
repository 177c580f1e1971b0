import type { z } from 'zod';
import { attributionSchema, daySchema } from '../../envelope.js';
import { userParams, uuidParam } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { sessionSamplesSchema } from './session-samples.js';
import { sleepSessionSchema } from './sleep-sessions.js';

export const sleepSessionDetailSchema = sleepSessionSchema
  .extend({
    summary_date: daySchema.meta({
      description: 'Date of the sleep summary that counts this session. Copies of the same sleep have the same date',
    }),
    samples: sessionSamplesSchema,
    attribution: attributionSchema,
  })
  .meta({ id: 'SleepSessionDetail' });
export type SleepSessionDetail = z.infer<typeof sleepSessionDetailSchema>;

export const getSleepSession = defineRoute({
  id: 'getSleepSession',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/sleep/{sleep_id}',
  tag: 'Events',
  summary: 'Get a night or nap with its samples',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'sleep_session', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams.extend({ sleep_id: uuidParam }),
  response: sleepSessionDetailSchema,
});
