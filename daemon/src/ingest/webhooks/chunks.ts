import type pg from 'pg';
import type { Connection } from '../../connections/index.js';
import { inTransaction, lockUser, UserMissingError } from '../../platform/database/index.js';
import { newRunId } from '../../runs/index.js';
import { nextTryAt, type WaitingDelivery } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';

/** Progress of a connection within a delivery. */
interface Share {
  runId: string;
  itemsDone: number;
  /** Earlier unstored items that are retried. */
  again: readonly number[];
}

export function isPending({ itemsDone, again }: Share, index: number): boolean {
  return index > itemsDone || again.includes(index);
}

/** Returns a connection's progress in a delivery. Starts its run on the first call. */
export async function shareOf(
  services: DeliveryServices,
  client: pg.ClientBase,
  { id: deliveryId }: WaitingDelivery,
  connection: Connection,
): Promise<Share> {
  const { rows } = await client.query<Share>(
    `select run_id as "runId", items_done as "itemsDone", again from webhook_delivery_share
      where delivery_id = $1 and connection_id = $2`,
    [deliveryId, connection.id],
  );
  if (rows[0]) return rows[0];
  const runId = await queueShareRun(services, client, { deliveryId, connection });
  await client.query(
    'insert into webhook_delivery_share (delivery_id, connection_id, run_id, account) values ($1, $2, $3, $4)',
    [deliveryId, connection.id, runId, connection.providerUserId ?? null],
  );
  return { runId, itemsDone: 0, again: [] };
}

/** Starts a connection's run for a delivery. @returns the run's ID */
export async function queueShareRun(
  { runs }: Pick<DeliveryServices, 'runs'>,
  client: pg.ClientBase,
  input: {
    deliveryId: string;
    connection: Pick<Connection, 'id' | 'userKey' | 'provider'>;
    metadata?: Readonly<Record<string, string>>;
  },
): Promise<string> {
  const { id, userKey, provider } = input.connection;
  const runId = newRunId('wh');
  const metadata = { connection_id: id, delivery_id: input.deliveryId, ...input.metadata };
  await runs.queue(client, { runId, userKey, provider, source: 'webhook', metadata });
  await runs.moveIn(client, runId, 'started', { message: 'Reading the vendor delivery.', progress: 0 });
  return runId;
}

export async function recordItemsDone(
  client: pg.ClientBase,
  { id }: WaitingDelivery,
  connection: Connection,
  indexes: readonly number[],
): Promise<void> {
  await client.query(
    `update webhook_delivery_share
        set items_done = greatest(items_done, $4), waits_for = null,
            again = array(select unnest(again) except select unnest($3::int4[]))
      where delivery_id = $1 and connection_id = $2`,
    [id, connection.id, indexes, indexes.at(-1) ?? 0],
  );
}

/** Records in a connection's run why the rest of its chunk waits. The connection's later deliveries wait as well. */
export async function recordWaitReason(
  services: DeliveryServices,
  delivery: WaitingDelivery,
  connection: Connection,
  reason: string,
): Promise<void> {
  const { pool, runs, now } = services;
  const noted = await inTransactionOf(pool, connection, async (client) => {
    const { runId } = await shareOf(services, client, delivery, connection);
    await client.query(
      'update webhook_delivery_share set waits_for = $3 where delivery_id = $1 and connection_id = $2',
      [delivery.id, connection.id, reason],
    );
    const nextTry = { reason, attempt: delivery.failures + 2, at: nextTryAt(delivery, now()) };
    await runs.moveIn(client, runId, 'fetching', { message: 'Waiting to store the vendor delivery.', nextTry });
    return true;
  });
  if (noted) runs.announce(connection.userKey);
}

/** States of a delivery's chunks at the start of a pass. */
export interface ShareStates {
  /** Connections whose run for this delivery has ended. */
  ended: ReadonlySet<string>;
  /** Connections with an earlier delivery that still waits, because data is stored in order of arrival. */
  blocked: ReadonlySet<string>;
  /** Connections with a retried run, if the delivery is read again for them. Only these connections receive data. */
  retried: ReadonlySet<string> | undefined;
}

export async function shareStates(pool: pg.Pool, { id, provider, isRetried }: WaitingDelivery): Promise<ShareStates> {
  const { rows } = await pool.query<{ id: string; state: 'ended' | 'open' | 'held_up' }>(
    `select s.connection_id as id, case when r.ended_at is null then 'open' else 'ended' end as state
       from webhook_delivery_share s join sync_run r using (run_id) where s.delivery_id = $1
     union all
     select s.connection_id, 'held_up' from webhook_delivery_share s join webhook_delivery d on d.id = s.delivery_id
      where s.waits_for is not null and d.provider = $2 and d.state = 'received'
        and d.seq < (select seq from webhook_delivery where id = $1)`,
    [id, provider],
  );
  const idsOf = (state: string) => new Set(rows.filter((row) => row.state === state).map((row) => row.id));
  return { ended: idsOf('ended'), blocked: idsOf('held_up'), retried: isRetried ? idsOf('open') : undefined };
}

/**
 * Runs `work` while the connection cannot end. Returns the result of `work`, or false if the connection has ended or
 * has another account.
 */
export async function inTransactionOf(
  pool: pg.Pool,
  { id, userKey, providerUserId }: Connection,
  work: (client: pg.PoolClient) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await inTransaction(pool, async (client) => {
      await lockUser(client, userKey);
      const { rowCount } = await client.query(
        `select 1 from connection where id = $1 and status = 'active' and provider_user_id is not distinct from $2 for share`,
        [id, providerUserId ?? null],
      );
      return rowCount === 1 ? work(client) : false;
    });
  } catch (error) {
    if (error instanceof UserMissingError) return false;
    throw error;
  }
}
