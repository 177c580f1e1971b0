import type { z } from 'zod';
import { userParams, uuidParam } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { sessionSamplesSchema } from './session-samples.js';
import { sleepSessionSchema } from './sleep-sessions.js';

export const sleepSessionDetailSchema = sleepSessionSchema
  .extend({ samples: sessionSamplesSchema })
  .meta({ id: 'SleepSessionDetail' });
export type SleepSessionDetail = z.infer<typeof sleepSessionDetailSchema>;

export const getSleepSession = defineRoute({
  id: 'getSleepSession',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/sleep/{sleep_id}',
  tag: 'Events',
  summary: 'One night or nap with its samples',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sleep_session', action: 'read' },
  params: userParams.extend({ sleep_id: uuidParam }),
  status: 200,
  response: sleepSessionDetailSchema,
  errors: [404],
});
