import { z } from 'zod';
import { defineRoute } from '../route.js';
import { textField } from '../text.js';

const providerParams = z.object({ provider: z.string() });
const oneParams = providerParams.extend({ subscription_id: z.string().min(1).max(256) });
const address = z.object({ callback_url: textField(2048) });

const subscription = z.record(z.string(), z.unknown());
const result = z.object({
  subscription_id: z.string().optional(),
  status: z.enum(['created', 'updated', 'patched', 'deleted', 'skipped', 'error']),
  error: z.string().optional().meta({ description: 'Error code, with status `error`' }),
});

const common = {
  tag: 'Webhook subscriptions',
  auth: 'developer',
  status: 200,
  errors: [404, 409, 501],
} as const;

export const listWebhookSubscriptions = defineRoute({
  ...common,
  id: 'listWebhookSubscriptions',
  method: 'GET',
  path: '/api/v1/providers/{provider}/webhooks/subscriptions',
  summary: 'List this service’s subscriptions at a vendor, as the vendor returns them',
  audit: { exempt: 'settings at the vendor, no user data' },
  params: providerParams,
  response: z.object({ subscriptions: z.array(subscription) }),
});

export const createWebhookSubscription = defineRoute({
  ...common,
  id: 'createWebhookSubscription',
  method: 'POST',
  path: '/api/v1/providers/{provider}/webhooks/subscriptions',
  summary: 'Create or update a subscription at a vendor',
  audit: { resource: 'webhook_subscription', action: 'create' },
  params: providerParams,
  query: address,
  response: z.object({ subscriptions: z.array(result) }),
});

export const renewWebhookSubscriptions = defineRoute({
  ...common,
  id: 'renewWebhookSubscriptions',
  method: 'POST',
  path: '/api/v1/providers/{provider}/webhooks/subscriptions/renew',
  summary: 'Renew expiring subscriptions',
  description:
    'The service renews subscriptions automatically. Returns 501 if the provider’s subscriptions do not expire.',
  audit: { resource: 'webhook_subscription', action: 'update' },
  params: providerParams,
  response: z.object({ renewed: z.array(result) }),
});

export const getWebhookSubscription = defineRoute({
  ...common,
  id: 'getWebhookSubscription',
  method: 'GET',
  path: '/api/v1/providers/{provider}/webhooks/subscriptions/{subscription_id}',
  summary: 'Get a subscription; null if the ID is unknown',
  audit: { exempt: 'settings at the vendor, no user data' },
  params: oneParams,
  response: z.object({ subscription: subscription.nullable() }),
});

export const updateWebhookSubscription = defineRoute({
  ...common,
  id: 'updateWebhookSubscription',
  method: 'PUT',
  path: '/api/v1/providers/{provider}/webhooks/subscriptions/{subscription_id}',
  summary: 'Update a subscription’s URL',
  audit: { resource: 'webhook_subscription', action: 'update' },
  params: oneParams,
  query: address,
  response: z.object({ updated: result }),
});

export const deleteWebhookSubscription = defineRoute({
  ...common,
  id: 'deleteWebhookSubscription',
  method: 'DELETE',
  path: '/api/v1/providers/{provider}/webhooks/subscriptions/{subscription_id}',
  summary: 'Delete a subscription',
  audit: { resource: 'webhook_subscription', action: 'delete' },
  params: oneParams,
  response: z.object({ deleted: result }),
});
