import { z } from 'zod';
import { textField } from '../text.js';

const providerParams = z.object({ provider: z.string() });
const oneParams = providerParams.extend({ subscription_id: z.string().min(1).max(256) });
const address = z.object({ callback_url: textField(2048) });

const subscription = z.record(z.string(), z.unknown());
const result = z.object({
  subscription_id: z.string().optional(),
  status: z.enum(['created', 'updated', 'patched', 'deleted', 'skipped', 'error']),
  error: z.string().optional().meta({ description: 'A code, with status `error`' }),
});

export const webhookSubscriptionsRouteSchemas = {
  listWebhookSubscriptions: {
    params: providerParams,
    response: z.object({ subscriptions: z.array(subscription) }),
  },
  createWebhookSubscription: {
    params: providerParams,
    query: address,
    response: z.object({ subscriptions: z.array(result) }),
  },
  renewWebhookSubscriptions: {
    params: providerParams,
    response: z.object({ renewed: z.array(result) }),
  },
  getWebhookSubscription: {
    params: oneParams,
    response: z.object({ subscription: subscription.nullable() }),
  },
  updateWebhookSubscription: {
    params: oneParams,
    query: address,
    response: z.object({ updated: result }),
  },
  deleteWebhookSubscription: {
    params: oneParams,
    response: z.object({ deleted: result }),
  },
};
