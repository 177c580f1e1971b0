import type { ProviderId } from '@healthd/model';
import type { DeliveryAdapter, ProviderConfiguration } from '@healthd/providers';
import { type DeliveryEnqueuer, type DeliveryServices, receiveDelivered } from '../../ingest/webhooks/index.js';
import { drainAndClose } from '../../platform/drain-and-close.js';
import type { RequestContext } from '../binding.js';
import { limitIdle } from '../idle-limit.js';
import { IDLE_SECONDS } from './webhook-refusals.js';

/**
 * Stores a delivery that contains data. The vendor gets its response before the job is enqueued and before the data is
 * processed.
 * @returns false if the signature is invalid
 */
export async function takeDelivery(
  services: DeliveryServices & { deliveryJobs: DeliveryEnqueuer },
  { provider, ...vendor }: { provider: ProviderId; adapter: DeliveryAdapter; configuration: ProviderConfiguration },
  { request, response, log }: Pick<RequestContext, 'request' | 'response' | 'log'>,
): Promise<boolean> {
  const idle = limitIdle(request, IDLE_SECONDS);
  try {
    const received = await receiveDelivered(services, provider, vendor, request, idle.exceeded);
    if (received.kind === 'refused') return false;
    if (received.kind === 'unreadable') {
      log.warn({ event: 'delivery_unreadable', provider, code: received.code }, 'Ignored an unreadable delivery');
      return true;
    }
    services.deliveryJobs
      .tryEnqueue({ provider })
      .catch((error: unknown) =>
        log.error(
          { event: 'delivery_not_queued', err: error },
          'Failed to queue a delivery; the sweeper will queue it',
        ),
      );
    return true;
  } catch (error) {
    drainAndClose(request, response);
    throw error;
  } finally {
    idle.release();
  }
}
