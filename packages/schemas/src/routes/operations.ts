import { z } from 'zod';

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

export const operationsRouteSchemas = {
  getConfig: {
    response: configSchema,
  },
};
