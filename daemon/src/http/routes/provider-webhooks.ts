import { bodyLimitOf, receiveProviderWebhook, verifyProviderWebhook } from '@healthd/contract';
import { isProviderId, type ProviderId } from '@healthd/model';
import type { DeliveryAdapter, ProviderConfiguration } from '@healthd/providers';
import { type ConnectedServices, enqueuePull } from '../../ingest/pull/index.js';
import {
  admitsDelivered,
  admitsDelivery,
  type DeliveryEnqueuer,
  type DeliveryServices,
  receiveDelivered,
  receiveDelivery,
} from '../../ingest/webhooks/index.js';
import { drainAndClose } from '../../platform/drain-and-close.js';
import { Failure } from '../../platform/failures.js';
import { type Binding, bind, type RequestContext } from '../binding.js';
import { limitIdle } from '../idle-limit.js';
import { readBytes } from '../read-bytes.js';

const IDLE_SECONDS = 30;

/** What vendors report. */
export function providerWebhookRoutes(
  services: ConnectedServices,
  deliveries: DeliveryServices & { deliveryJobs: DeliveryEnqueuer },
): Binding[] {
  return [
    bind(receiveProviderWebhook, async ({ params, request, response, log }) => {
      const provider = knownProvider(params.provider);
      const { cloud, configuration } = services.connections.configurationOf(provider) ?? {};
      if (cloud?.deliveries && configuration) {
        if (!admitsDelivered(deliveries, provider, request)) throw notTheVendor();
        const vendor = { provider, adapter: cloud.deliveries, configuration };
        await takeDelivery(deliveries, vendor, { request, response, log });
        response.status(200).json({ status: 'accepted' });
        return undefined;
      }
      if (!cloud?.webhook) throw unsupported(provider);
      const head = { headers: request.headers, query: queryOf(request.originalUrl) };
      if (!(await admitsDelivery(services, provider, head))) throw notTheVendor();
      const rawBody = await readBytes(request, response, bodyLimitOf(receiveProviderWebhook), IDLE_SECONDS);
      const answer = await receiveDelivery(services, provider, { ...head, rawBody });
      if (answer.kind === 'unsupported') throw unsupported(provider);
      if (answer.kind === 'refused') throw notTheVendor();
      if (answer.kind === 'unverifiable')
        throw new Failure('unavailable', 'The signature cannot be checked now. Send the notification again later.');
      if (answer.kind === 'unreadable') throw new Failure('bad_request', 'Invalid JSON body');
      // No one waits for the job store: what it does not take now, the sweeper brings.
      for (const id of answer.connectionIds) {
        enqueuePull(services, id).catch((error: unknown) =>
          log.error(
            { event: 'notification_not_queued', err: error },
            'Failed to queue a notification; the sweeper will queue it',
          ),
        );
      }
      response.status(answer.status);
      if (answer.body === undefined) response.end();
      else response.json(answer.body);
      return undefined;
    }),
    bind(verifyProviderWebhook, async ({ params, request }) => {
      const provider = knownProvider(params.provider);
      const { cloud, configuration } = services.connections.configurationOf(provider) ?? {};
      if (!cloud?.webhook?.answerChallenge || !configuration) throw unsupported(provider);
      const answer = cloud.webhook.answerChallenge(queryOf(request.originalUrl), configuration);
      if (!answer) throw new Failure('forbidden', 'Not a challenge of a registration of this service');
      return answer;
    }),
  ];
}

/** Stores a delivery that carries data. The vendor waits neither for the job store nor for the delivery to be read. */
async function takeDelivery(
  services: DeliveryServices & { deliveryJobs: DeliveryEnqueuer },
  { provider, ...vendor }: { provider: ProviderId; adapter: DeliveryAdapter; configuration: ProviderConfiguration },
  { request, response, log }: Pick<RequestContext, 'request' | 'response' | 'log'>,
): Promise<void> {
  const idle = limitIdle(request, IDLE_SECONDS);
  try {
    const received = await receiveDelivered(services, provider, vendor, request, idle.exceeded);
    if (received.kind === 'refused') throw notTheVendor();
    if (received.kind === 'unreadable') {
      log.warn(
        { event: 'delivery_unreadable', provider, code: received.code },
        'Ignored a delivery that can never be read',
      );
      return;
    }
    services.deliveryJobs
      .tryEnqueue({ provider })
      .catch((error: unknown) =>
        log.error(
          { event: 'delivery_not_queued', err: error },
          'Failed to queue a delivery; the sweeper will queue it',
        ),
      );
  } catch (error) {
    drainAndClose(request, response);
    throw error;
  } finally {
    idle.release();
  }
}

function queryOf(address: string): URLSearchParams {
  return new URL(address, 'http://localhost').searchParams;
}

function knownProvider(text: string): ProviderId {
  if (isProviderId(text)) return text;
  throw new Failure('not_found', `Unknown provider: '${text.slice(0, 64)}'`);
}

function notTheVendor(): Failure {
  return new Failure('unauthenticated', 'Invalid webhook signature');
}

function unsupported(provider: ProviderId): Failure {
  return new Failure('not_implemented', `Provider '${provider}' sends no webhooks of this kind`);
}
