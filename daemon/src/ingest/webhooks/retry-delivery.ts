import type pg from 'pg';
import { Failure } from '../../platform/failures.js';
import { type RunRetrier, retryMetadata } from '../../runs/index.js';
import type { DeliveryEnqueuer } from './delivery-job.js';
import type { DeliveryServices } from './delivery-services.js';
import { queueShareRun } from './chunks.js';

/** Data of a connection's chunk that a retry of the chunk needs. */
interface RetriedShare {
  deliveryId: string;
  connectionId: string;
  isActive: boolean;
  isSameAccount: boolean;
  isBeingRead: boolean;
  hasFile: boolean;
  isIncomplete: boolean;
  /** True if the positions of some unstored items were not recorded. */
  hasUnknownItems: boolean;
}

/**
 * Reads a delivery's stored body again for a run's connection. Stores only abandoned and unstored items, so newer
 * versions of stored items are kept.
 * @param otherwise retries webhook runs that read from the vendor
 */
export function deliveryRetrier(
  services: Pick<DeliveryServices, 'runs' | 'now'> & { deliveryJobs: DeliveryEnqueuer },
  otherwise: RunRetrier,
): RunRetrier {
  return async (run) => {
    if (typeof run.metadata.delivery_id !== 'string') return otherwise(run);
    const { runId: earlier, userKey, provider } = run;
    return async (client) => {
      const share = await lockedShare(client, earlier);
      rejectUnlessReadable(share);
      const { deliveryId, connectionId } = share;
      const runId = await queueShareRun(services, client, {
        deliveryId,
        connection: { id: connectionId, userKey, provider },
        metadata: retryMetadata(run),
      });
      await client.query(
        `update webhook_delivery_share
            set run_id = $3, again = again || refused, refused = '{}', waits_for = null
          where delivery_id = $1 and connection_id = $2`,
        [deliveryId, connectionId, runId],
      );
      await client.query(
        `update webhook_delivery
            set state = 'received', retried = true, problem = null, attempts = 0, failures = 0, next_try_at = $2, ended_at = null
          where id = $1`,
        [deliveryId, services.now()],
      );
      return { runId, enqueue: () => services.deliveryJobs.tryEnqueue({ provider }) };
    };
  };
}

async function lockedShare(client: pg.ClientBase, runId: string): Promise<RetriedShare | undefined> {
  const { rows } = await client.query<RetriedShare>(
    `select s.delivery_id as "deliveryId", s.connection_id as "connectionId", c.status = 'active' as "isActive",
            s.account is null or s.account is not distinct from c.provider_user_id as "isSameAccount",
            d.state = 'received' as "isBeingRead", d.file_deleted_at is null as "hasFile",
            s.given_up or s.refused <> '{}' or s.again <> '{}' as "isIncomplete",
            s.refused_more as "hasUnknownItems"
       from webhook_delivery_share s join webhook_delivery d on d.id = s.delivery_id
       join connection c on c.id = s.connection_id
      where s.run_id = $1 for update of s, d`,
    [runId],
  );
  return rows[0];
}

function rejectUnlessReadable(share: RetriedShare | undefined): asserts share is RetriedShare {
  if (!share?.hasFile) throw new Failure('gone', 'The delivery is no longer stored.');
  if (!share.isActive) throw new Failure('conflict', 'The connection has ended, so its data is not read again.');
  if (!share.isSameAccount)
    throw new Failure(
      'conflict',
      'The connection now has a different vendor account, so the data of the former account is not read again.',
    );
  if (share.isBeingRead)
    throw new Failure('conflict', 'The delivery is still being read for other users. Retry after it has been read.');
  if (!share.isIncomplete && share.hasUnknownItems)
    throw new Failure('conflict', 'Cannot retry: the positions of the unstored items are no longer available.');
  if (!share.isIncomplete)
    throw new Failure('conflict', 'Nothing to retry: every item of the delivery that can be stored is stored.');
}
