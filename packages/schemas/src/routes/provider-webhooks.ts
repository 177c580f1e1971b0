import { z } from 'zod';

const webhookVerifiedSchema = z
  .object({ status: z.literal('verified').meta({ description: 'The address is ours' }) })
  .meta({ id: 'WebhookVerified' });

const webhookAcceptedSchema = z
  .object({ status: z.literal('accepted').meta({ description: 'It is stored, or can never be read' }) })
  .meta({ id: 'WebhookAccepted' });

export const providerWebhooksRouteSchemas = {
  receiveProviderWebhook: {
    params: z.object({ provider: z.string() }),
    body: z.unknown().optional(),
    furtherResponses: { 200: webhookAcceptedSchema, 201: webhookVerifiedSchema },
  },
  verifyProviderWebhook: {
    params: z.object({ provider: z.string() }),
    response: z.unknown(),
  },
};
