import { MS_PER_MINUTE, PROVIDER_IDS, type ProviderId } from '@healthd/model';
import type { DeliveryAdapter } from '@healthd/providers';
import { z } from 'zod';
import {
  defineJob,
  failureCode,
  type Job,
  type JobDefinition,
  type JobLog,
  type JobSweeper,
  RETRY_SOON,
} from '../../platform/jobs/index.js';
import {
  startDelivery,
  isExhausted,
  isTriedAgain,
  postponeDelivery,
  providersWithoutJob,
  returnDelivery,
  type WaitingDelivery,
} from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';
import { giveUpDelivery, readDelivery } from './read-delivery.js';

const DELIVERY_JOB = 'read-deliveries';
const MAX_DURATION_SECONDS = 1_800;
/** Time after which the job yields to other providers. */
const TURN_MS = MS_PER_MINUTE;

export interface DeliveryPayload {
  provider: ProviderId;
}

/** Enqueues the job that reads a provider's deliveries. */
export type DeliveryEnqueuer = Pick<Job<DeliveryPayload>, 'tryEnqueue'>;

/**
 * Reads a provider's deliveries one at a time, oldest first, so that the later version of an item wins. Postpones a
 * delivery that fails and continues with the others.
 */
export function deliveryJob(services: DeliveryServices): JobDefinition<DeliveryPayload> {
  const { pool, connections, now } = services;
  return defineJob({
    name: DELIVERY_JOB,
    payload: z.object({ provider: z.enum(PROVIDER_IDS) }),
    key: ({ provider }) => `provider ${provider}`,
    concurrency: 1,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_SOON,
    async run({ provider }, { signal, log, again }) {
      const until = performance.now() + TURN_MS;
      for (;;) {
        signal.throwIfAborted();
        const adapter = await adapterOf(connections, provider);
        if (!adapter) return;
        if (performance.now() > until) break;
        const delivery = await startDelivery(pool, provider, now());
        if (!delivery) return;
        if (isExhausted(delivery)) {
          await giveUp(services, delivery, log);
          continue;
        }
        try {
          const { waits } = await readDelivery(services, adapter, delivery, { signal, log });
          if (waits) await rescheduleDelivery(services, delivery, log);
        } catch (error) {
          // Counts an attempt that took too long, so that other deliveries go first. Reverts any other interrupted
          // attempt.
          if (signal.aborted && failureCode(signal.reason) !== 'job_too_long')
            await returnDelivery(pool, delivery, now());
          signal.throwIfAborted();
          const isRetried = await rescheduleDelivery(services, delivery, log);
          log.error(
            { event: 'delivery_not_read', err: error, delivery_id: delivery.id, provider, isRetried },
            'Failed to read a vendor delivery',
          );
        }
      }
      await again({ provider });
    },
  });
}

/** Returns undefined while a provider is disabled or has no credentials. Its deliveries wait. */
async function adapterOf(
  connections: DeliveryServices['connections'],
  provider: ProviderId,
): Promise<DeliveryAdapter | undefined> {
  if (!(await connections.settingOf(provider)).isEnabled) return undefined;
  return connections.configurationOf(provider)?.cloud.deliveries;
}

/**
 * Schedules another attempt for as long as the vendor itself would resend the delivery. @returns true if it is retried
 */
async function rescheduleDelivery(
  services: DeliveryServices,
  delivery: WaitingDelivery,
  log: JobLog,
): Promise<boolean> {
  const { pool, now } = services;
  if (isTriedAgain(delivery, now())) {
    await postponeDelivery(pool, delivery, now());
    return true;
  }
  await giveUp(services, delivery, log);
  return false;
}

async function giveUp(services: DeliveryServices, delivery: WaitingDelivery, log: JobLog): Promise<void> {
  await giveUpDelivery(services, delivery);
  const { id, provider, attempts, failures } = delivery;
  log.error(
    { event: 'delivery_given_up', delivery_id: id, provider, attempts, failures },
    'Vendor delivery failed permanently; its stored items are kept',
  );
}

/**
 * Finds deliveries without a job, because the job store was unavailable or the process crashed before enqueueing it.
 */
export function deliverySweeper({
  pool,
  connections,
  now,
}: Pick<DeliveryServices, 'pool' | 'connections' | 'now'>): JobSweeper<DeliveryPayload> {
  return {
    name: DELIVERY_JOB,
    async findUnqueued(limit) {
      const found: DeliveryPayload[] = [];
      for (const provider of await providersWithoutJob(pool, DELIVERY_JOB, now(), limit)) {
        if (await adapterOf(connections, provider)) found.push({ provider });
      }
      return found;
    },
  };
}
