import { defineRoute } from '../route.js';

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
  summary: 'Receive notifications of a vendor',
  description:
    'Authenticated as the vendor does it; google: `Authorization: Bearer <webhook secret>`; whoop: `X-WHOOP-Signature` over `X-WHOOP-Signature-Timestamp` and the body, with the client secret. What concerns a connected account is stored before the answer. The status is the one that the vendor expects; google: 201 for its verification, 204 for notifications; whoop: 204.',
  bodyType: 'raw',
  // A delivery names changes and carries no data; the largest seen have some hundred kilobytes.
  maxBodyBytes: 2 * 1024 * 1024,
  status: 204,
  furtherAnswers: [{ status: 201, description: 'The vendor verifies the address' }],
  errors: [400, 401, 404, 408, 413, 415, 501, 503],
});

export const verifyProviderWebhook = defineRoute({
  ...delivery,
  id: 'verifyProviderWebhook',
  method: 'GET',
  summary: 'Answer a challenge of a vendor',
  description: 'No provider that is offered here sends one.',
  status: 200,
  errors: [404, 501],
});
