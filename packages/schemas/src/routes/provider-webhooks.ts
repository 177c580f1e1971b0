import { z } from 'zod';
import { defineRoute } from '../route.js';

const webhookVerifiedSchema = z
  .object({ status: z.literal('verified').meta({ description: 'The URL belongs to this service' }) })
  .meta({ id: 'WebhookVerified' });

const webhookAcceptedSchema = z
  .object({
    status: z.literal('accepted').meta({ description: 'The notification was stored, or can never be processed' }),
  })
  .meta({ id: 'WebhookAccepted' });

/** Webhook paths of the compatible API, from before all vendors had the same path. */
const OURA = { path: '/api/v1/oura/webhooks', params: { provider: 'oura' } } as const;

const STRAVA = [
  { path: '/api/v1/strava/webhooks', params: { provider: 'strava' } },
  { path: '/api/v1/strava/webhook', params: { provider: 'strava' } },
] as const;

const GARMIN = [
  { path: '/api/v1/garmin/webhooks/push', params: { provider: 'garmin' } },
  { path: '/api/v1/garmin/webhooks/ping', params: { provider: 'garmin' } },
] as const;

const delivery = {
  path: '/api/v1/providers/{provider}/webhooks',
  tag: 'Provider webhooks',
  auth: 'public',
  audit: { exempt: 'called by vendors; the runs that fetch the reported data are audited' },
  ignoresUnknown: true,
} as const;

export const receiveProviderWebhook = defineRoute({
  ...delivery,
  id: 'receiveProviderWebhook',
  method: 'POST',
  aliases: [...GARMIN, OURA, ...STRAVA],
  summary: 'Receive a vendor’s notifications',
  description:
    'Authenticates the vendor by a secret header or a signature over time and body; see the provider’s page in docs/providers. Before it responds, the service stores notifications for connected accounts. If the vendor delivers the data itself, it stores the whole body: up to 128 MB, optionally gzipped. Signed notifications are limited to 64 kB and cannot be compressed. WEBHOOK_REFUSALS_PER_ADDRESS limits rejected deliveries per IP address. The status depends on the vendor: 200 or 204 for notifications, 200 for data, 201 for a verification.',
  bodyType: 'raw',
  // Maximum size of notifications without data. The largest known notifications have a few hundred kilobytes. Other
  // providers declare their own limits.
  maxBodyBytes: 2 * 1024 * 1024,
  status: 204,
  furtherAnswers: [
    { status: 200, description: 'The service accepted the notification or the vendor’s data' },
    { status: 201, description: 'The vendor verified the URL' },
  ],
  errors: [400, 401, 404, 408, 413, 415, 429, 501, 503, 507],
  params: z.object({ provider: z.string() }),
  body: z.unknown().optional(),
  furtherResponses: { 200: webhookAcceptedSchema, 201: webhookVerifiedSchema },
});

export const verifyProviderWebhook = defineRoute({
  ...delivery,
  id: 'verifyProviderWebhook',
  method: 'GET',
  aliases: [OURA, ...STRAVA],
  summary: 'Answer a vendor’s challenge',
  description:
    'The vendor calls this while a subscription is being registered; the response contains the value that the vendor expects. Returns 403 if this service is not registering a subscription, and 501 if the vendor has no challenge.',
  status: 200,
  errors: [403, 404, 501],
  params: z.object({ provider: z.string() }),
  response: z.unknown(),
});
