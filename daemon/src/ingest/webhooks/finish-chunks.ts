import type pg from 'pg';
import { inTransaction, lockUser, UserMissingError } from '../../platform/database/index.js';
import { deleteProgress, endOf, planRanges, readReports } from '../../runs/index.js';
import type { WaitingDelivery } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';

const ENDED_OR_CHANGED = 'The connection has ended or changed its vendor account since the run was retried.';

/**
 * Ends the open runs of a delivery that was read completely.
 * @param except connections whose items are waiting
 * @param fault reason why a delivery is abandoned: its waiting items are not stored
 */
export async function endShares(
  services: DeliveryServices,
  delivery: WaitingDelivery,
  { except = [], fault: faultOfAll }: { except?: readonly string[]; fault?: string } = {},
): Promise<void> {
  const { pool, runs, connections, metrics } = services;
  const { rows } = await pool.query<OpenShare>(
    `select s.run_id as "runId", s.connection_id as "connectionId", r.user_key as "userKey", s.waits_for as "waitsFor",
            (s.given_up or s.again <> '{}') and (c.status <> 'active' or s.account <> c.provider_user_id) as "isLate"
       from webhook_delivery_share s join sync_run r using (run_id) join connection c on c.id = s.connection_id
      where s.delivery_id = $1 and r.ended_at is null and s.connection_id <> all ($2::uuid[]) order by r.user_key`,
    [delivery.id, except],
  );
  for (const share of rows) {
    const { runId, connectionId, userKey } = share;
    const fault = faultOfAll ?? (share.isLate ? ENDED_OR_CHANGED : undefined);
    const status = await inTransaction(pool, async (client) => {
      await lockUser(client, userKey);
      if (fault !== undefined) await markFailed(client, delivery, share);
      const reports = await readReports(client, runId, { isOpen: false });
      const { outcome, step } = endOf(delivery.provider, reports, fault);
      await runs.finishIn(client, runId, outcome, step);
      const brought = outcome.status === 'success' || outcome.status === 'partial';
      if (brought) await connections.markSynced(connectionId, delivery.receivedAt, client);
      await deleteProgress(client, runId);
      await client.query('update webhook_delivery_share set waits_for = null, given_up = $2 where run_id = $1', [
        runId,
        fault !== undefined,
      ]);
      return outcome.status;
    }).catch((error: unknown) => {
      if (error instanceof UserMissingError) return undefined;
      throw error;
    });
    if (status === undefined) continue;
    metrics.runEnded(delivery.provider, 'webhook', status);
    runs.announce(userKey);
  }
}

interface OpenShare {
  runId: string;
  connectionId: string;
  userKey: number;
  waitsFor: string | null;
  /** True if unstored items of the connection were due for a retry that is no longer possible. */
  isLate: boolean;
}

/** Adds a failed range to a run, so that the run does not count as complete. */
async function markFailed(
  client: pg.ClientBase,
  { receivedAt }: WaitingDelivery,
  { runId, waitsFor }: OpenShare,
): Promise<void> {
  const at = receivedAt.getTime();
  const failed = waitsFor === null ? 'gave_up' : `gave_up: ${waitsFor}`;
  await planRanges(client, runId, [{ dataType: 'delivery', startMs: at, endMs: at, failed }]);
}
