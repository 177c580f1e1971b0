import { z } from 'zod';
import { defineRoute } from '../route.js';

export const configSchema = z
  .object({
    outgoing_webhooks_enabled: z.boolean(),
    api_key_header: z.string().meta({ description: 'Header that carries an API key' }),
    pull_sync_lookback_seconds: z
      .int()
      .nullable()
      .meta({ description: 'Seconds that each pull reaches back behind what is known; null while that is off' }),
  })
  .meta({ id: 'Config' });

export const getConfig = defineRoute({
  id: 'getConfig',
  method: 'GET',
  path: '/api/v1/config',
  tag: 'Operations',
  summary: 'What this service is set up to do',
  auth: 'developer',
  audit: { exempt: 'settings of the service, no data of a person' },
  status: 200,
  response: configSchema,
});
