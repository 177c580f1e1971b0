import { type BodyLimit, bodyLimitOf } from '@healthd/contract';
import { receiveProviderWebhook, verifyProviderWebhook } from '@healthd/schemas';
import { type ConnectedServices, enqueuePull } from '../../ingest/pull/index.js';
import {
  admitsDelivery,
  type DeliveryEnqueuer,
  type DeliveryServices,
  proofOf,
  receiveDelivery,
} from '../../ingest/webhooks/index.js';
import { Failure } from '../../platform/failures.js';
import { type Binding, bind } from '../binding.js';
import { readBytes } from '../read-bytes.js';
import { takeDelivery } from './take-delivery.js';
import { IDLE_SECONDS, knownProvider, unsupportedProvider, type WebhookRejections } from './webhook-refusals.js';

/**
 * Limit of a body whose bytes are signed. Such a body reports a single change. It is never unpacked before the sender
 * is verified, so it must not be compressed.
 */
const SIGNED_BODY: BodyLimit = { maxBytes: 64 * 1024, takesGzip: false };

/** Routes for vendor webhooks. */
export function providerWebhookRoutes(
  services: ConnectedServices,
  deliveries: DeliveryServices & { deliveryJobs: DeliveryEnqueuer },
  rejections: WebhookRejections,
): Binding[] {
  return [
    bind(receiveProviderWebhook, async ({ params, request, response, log }) => {
      const provider = knownProvider(params.provider);
      const rejection = () => rejections.refuse(request.ip, log);
      const { cloud, configuration } = services.connections.configurationOf(provider) ?? {};
      if (cloud?.deliveries && configuration) {
        const vendor = { provider, adapter: cloud.deliveries, configuration };
        const proof = proofOf(deliveries, provider, vendor, request);
        if (proof === 'refused') throw rejection();
        if (proof === 'setting_missing')
          throw new Failure('unavailable', 'Deliveries are rejected until the operator sets the webhook token.');
        if (!(await takeDelivery(deliveries, vendor, { request, response, log }))) throw rejection();
        response.status(200).json({ status: 'accepted' });
        return undefined;
      }
      if (!cloud?.webhook) throw unsupportedProvider(provider);
      const head = { headers: request.headers, query: queryOf(request.originalUrl) };
      if (!(await admitsDelivery(services, provider, head))) throw rejection();
      const limit = cloud.webhook.authenticatesByHead ? bodyLimitOf(receiveProviderWebhook) : SIGNED_BODY;
      const rawBody = await readBytes(request, response, limit, IDLE_SECONDS);
      const result = await receiveDelivery(services, provider, { ...head, rawBody });
      if (result.kind === 'unsupported') throw unsupportedProvider(provider);
      if (result.kind === 'refused') throw rejection();
      if (result.kind === 'unverifiable')
        throw new Failure('unavailable', 'The signature cannot be checked now. Send the notification again later.');
      if (result.kind === 'unreadable') throw new Failure('bad_request', 'Invalid JSON body');
      // Does not wait for the job store. If enqueuing fails, the sweeper enqueues the job later.
      for (const id of result.connectionIds) {
        enqueuePull(services, id).catch((error: unknown) =>
          log.error(
            { event: 'notification_not_queued', err: error },
            'Failed to queue a notification; the sweeper will queue it',
          ),
        );
      }
      response.status(result.status);
      if (result.body === undefined) response.end();
      else response.json(result.body);
      return undefined;
    }),
    bind(verifyProviderWebhook, async ({ params, request }) => {
      const provider = knownProvider(params.provider);
      const { cloud, configuration } = services.connections.configurationOf(provider) ?? {};
      if (!cloud?.webhook?.respondToChallenge || !configuration) throw unsupportedProvider(provider);
      const response = cloud.webhook.respondToChallenge(queryOf(request.originalUrl), configuration);
      if (!response) throw new Failure('forbidden', 'The challenge does not belong to a registration of this service');
      return response;
    }),
  ];
}

function queryOf(address: string): URLSearchParams {
  return new URL(address, 'http://localhost').searchParams;
}
