import { z } from 'zod';

const webhookVerifiedSchema = z
  .object({ status: z.literal('verified').meta({ description: 'The address is ours' }) })
  .meta({ id: 'WebhookVerified' });

export const providerWebhooksRouteSchemas = {
  receiveProviderWebhook: {
    params: z.object({ provider: z.string() }),
    body: z.unknown().optional(),
    furtherResponses: { 201: webhookVerifiedSchema },
  },
  verifyProviderWebhook: {
    params: z.object({ provider: z.string() }),
    response: z.unknown(),
  },
};
