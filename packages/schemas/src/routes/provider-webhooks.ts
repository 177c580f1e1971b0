import { z } from 'zod';
import { defineRoute } from '../route.js';

const webhookVerifiedSchema = z
  .object({ status: z.literal('verified').meta({ description: 'The address is ours' }) })
  .meta({ id: 'WebhookVerified' });

const webhookAcceptedSchema = z
  .object({ status: z.literal('accepted').meta({ description: 'It is stored, or can never be read' }) })
  .meta({ id: 'WebhookAccepted' });

/** Addresses under which vendors were registered at the compatible API before there was one for all. */
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
  audit: { exempt: 'no person asks; what a vendor reports is read again in runs, which are recorded' },
  ignoresUnknown: true,
} as const;

export const receiveProviderWebhook = defineRoute({
  ...delivery,
  id: 'receiveProviderWebhook',
  method: 'POST',
  aliases: [...GARMIN, OURA, ...STRAVA],
  summary: 'Receive notifications of a vendor',
  description:
    'Authenticated as the vendor does it, by a secret in a header or a signature over time and body; the page of each provider in docs/providers says how. What concerns a connected account is stored before the answer; of vendors that deliver the data themselves the whole body is, up to 128 MB and also packed with gzip. A signed notification is at most 64 kB and not packed. Refused deliveries of one address are limited by WEBHOOK_REFUSALS_PER_ADDRESS. The status is the one that the vendor expects: 200 or 204 for notifications, 200 for data, 201 for a verification.',
  bodyType: 'raw',
  // One that names changes and carries no data; the largest seen have some hundred kilobytes. Of others the provider says it.
  maxBodyBytes: 2 * 1024 * 1024,
  status: 204,
  furtherAnswers: [
    { status: 200, description: 'Data that the vendor delivered are stored' },
    { status: 201, description: 'The vendor verifies the address' },
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
  summary: 'Answer a challenge of a vendor',
  description:
    'Sent while a subscription is registered; the answer holds what the vendor wants to see again. 403 where it does not come from a registration of this service, 501 where the provider sends none.',
  status: 200,
  errors: [403, 404, 501],
  params: z.object({ provider: z.string() }),
  response: z.unknown(),
});
