import { batchOf, countItems, noItems, rejectionReason } from '@healthd/model';
import type { DeliveryAdapter } from '@healthd/providers';
import type pg from 'pg';
import { type Connection, isGranted } from '../../connections/index.js';
import { inTransaction, lockUser, UserMissingError } from '../../platform/database/index.js';
import { advanceRange, countsOf, deleteProgress, endOf, newRunId, planRanges, readReports } from '../../runs/index.js';
import type { AccountItems, BufferedItem } from './account-buffer.js';
import { nextTryAt, type WaitingDelivery } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';
import { type ItemsOfType, newestItems } from './newest-items.js';

const ENDED_MEANWHILE = 'The connection has ended, or has another account of the vendor, since the run was retried.';

/** Positions of items that could not be stored are kept for a retry, as far as these. */
const KEPT_REFUSALS = 1_000;

/**
 * Stores what a delivery holds for one connection, as far as it was read: records, counts, how far it is, and what it says
 * of an export are one transaction. A process that is killed anywhere goes on after the last one.
 */
export async function storeItems(
  services: DeliveryServices,
  delivery: WaitingDelivery,
  adapter: DeliveryAdapter,
  { connection, items }: AccountItems,
): Promise<void> {
  const { pool, exports, metrics, connections, runs, now } = services;
  let accepted = 0;
  let stored = 0;
  const isStored = await inTransactionOf(pool, connection, async (client) => {
    const share = await shareOf(services, client, delivery, connection);
    const fresh = items.filter(({ index }) => isPending(share, index));
    if (fresh.length === 0) return false;
    const granted = fresh.filter(({ dataType }) => isWanted(adapter, connection, dataType));
    await skipUnwanted(client, share.runId, delivery, new Set(fresh.map((item) => item.dataType)), granted);
    const types = await newestItems(client, connection.id, adapter, granted, now());
    stored = 0;
    for (const type of types) stored += await storeType(services, client, share.runId, delivery, connection, type);
    const arrivals = types.flatMap(({ dataType, items: read }) =>
      read.filter(({ isContinued }) => !isContinued).map(({ span }) => ({ delivered: dataType, span })),
    );
    await exports.noteArrivals(client, connection.id, arrivals, now());
    await connections.markDelivered(client, connection.id, now());
    await noteItemsDone(
      client,
      delivery,
      connection,
      fresh.map(({ index }) => index),
    );
    if (!delivery.isCounted) accepted = fresh.filter(({ piece }) => piece?.isLast !== false).length;
    return true;
  });
  if (!isStored) return;
  metrics.rowsStored(connection.provider, stored);
  for (let counted = 0; counted < accepted; counted++) metrics.notified(delivery.provider, 'accepted');
  await connections.markFirstNotified(connection.provider);
  runs.announce(connection.userKey);
}

/** Data of a kind that the person does not grant any more are left out; what was granted may be unknown. */
function isWanted({ dataTypes }: DeliveryAdapter, { scope, grantedScopes }: Connection, dataType: string): boolean {
  const type = dataTypes.find(({ id }) => id === dataType);
  return scope === undefined || (type !== undefined && isGranted(type.scopes, grantedScopes));
}

async function skipUnwanted(
  client: pg.ClientBase,
  runId: string,
  { receivedAt }: WaitingDelivery,
  dataTypes: ReadonlySet<string>,
  granted: readonly { dataType: string }[],
): Promise<void> {
  const wanted = new Set(granted.map(({ dataType }) => dataType));
  const at = receivedAt.getTime();
  const skipped = [...dataTypes].filter((dataType) => !wanted.has(dataType));
  const { rows } = await client.query<{ data_type: string }>(
    'select data_type from pull_progress where run_id = $1 and data_type = any ($2::text[])',
    [runId, skipped],
  );
  const noted = new Set(rows.map(({ data_type }) => data_type));
  const fresh = skipped.filter((dataType) => !noted.has(dataType));
  if (fresh.length === 0) return;
  await planRanges(
    client,
    runId,
    fresh.map((dataType) => ({ dataType, startMs: at, endMs: at, skipped: 'scope_missing' })),
  );
}

/** @returns how many rows were written */
async function storeType(
  { writer }: DeliveryServices,
  client: pg.ClientBase,
  runId: string,
  { receivedAt }: WaitingDelivery,
  { userKey, sourceAccount: account }: Connection,
  { dataType, items, tally }: ItemsOfType,
): Promise<number> {
  const written = await writer.writeIn(client, userKey, batchOf(items.flatMap(({ records }) => records)), { account });
  const { rejections, received, noValue, superseded } = tally;
  const counts = countsOf(written, { rejections, received, noValue, superseded });
  const at = receivedAt.getTime();
  const startMs = items.reduce((earliest, { span }) => Math.min(earliest, span.startMs), at);
  const endMs = items.reduce((latest, { span }) => Math.max(latest, span.endMs), startMs);
  await advanceRange(client, runId, { dataType, fromMs: startMs, toMs: endMs }, { doneFromMs: startMs }, counts);
  return counts.inserted + counts.updated + counts.deleted;
}

/** How far a connection has been given a delivery. */
interface Share {
  runId: string;
  itemsDone: number;
  /** Earlier items that could not be stored and are tried once more. */
  again: readonly number[];
}

function isPending({ itemsDone, again }: Share, index: number): boolean {
  return index > itemsDone || again.includes(index);
}

/** What a connection has of a delivery so far; its run begins with it. */
async function shareOf(
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

/** Begins the run of a connection in a delivery. @returns its id */
export async function queueShareRun(
  { runs }: Pick<DeliveryServices, 'runs'>,
  client: pg.ClientBase,
  given: {
    deliveryId: string;
    connection: Pick<Connection, 'id' | 'userKey' | 'provider'>;
    metadata?: Readonly<Record<string, string>>;
  },
): Promise<string> {
  const { id, userKey, provider } = given.connection;
  const runId = newRunId('wh');
  const metadata = { connection_id: id, delivery_id: given.deliveryId, ...given.metadata };
  await runs.queue(client, { runId, userKey, provider, source: 'webhook', metadata });
  await runs.moveIn(client, runId, 'started', { message: 'Reading what the vendor delivered.', progress: 0 });
  return runId;
}

async function noteItemsDone(
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

/** Notes in the run of a connection that an item of its share can never be stored, and passes over it. */
export async function refuseItem(
  services: DeliveryServices,
  delivery: WaitingDelivery,
  connection: Connection,
  { dataType, index }: BufferedItem,
  detail: string | undefined,
): Promise<void> {
  const { pool, runs, metrics } = services;
  const noted = await inTransactionOf(pool, connection, async (client) => {
    const share = await shareOf(services, client, delivery, connection);
    if (!isPending(share, index)) return false;
    const rejectedByReason = { [rejectionReason({ code: 'not_stored', detail })]: 1 };
    const counts = { ...noItems(), received: 1, deleted: 0, rejectedByReason };
    countItems(counts, 'rejected', 1);
    const at = delivery.receivedAt.getTime();
    // What is open of a range when its run ends makes the kind of data a part only.
    await advanceRange(client, share.runId, { dataType, fromMs: at - 1, toMs: at }, { doneFromMs: at }, counts);
    await noteItemsDone(client, delivery, connection, [index]);
    await client.query(
      `update webhook_delivery_share
          set refused = case when cardinality(refused) < $4 then refused || $3::int4 else refused end,
              refused_more = refused_more or cardinality(refused) >= $4
        where delivery_id = $1 and connection_id = $2`,
      [delivery.id, connection.id, index, KEPT_REFUSALS],
    );
    return true;
  });
  if (!noted) return;
  if (!delivery.isCounted) metrics.notified(delivery.provider, 'unhandled');
  runs.announce(connection.userKey);
}

/** Shows in the run of a connection what the rest of its share waits for; later deliveries wait for it too. */
export async function noteWaiting(
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
    await runs.moveIn(client, runId, 'fetching', { message: 'Waiting to store what the vendor delivered.', nextTry });
    return true;
  });
  if (noted) runs.announce(connection.userKey);
}

/** How the shares of a delivery stand when a pass over it begins. */
export interface ShareStates {
  /** Connections that have been given all of it. */
  ended: ReadonlySet<string>;
  /** Connections of which an earlier delivery still waits: what came first is stored first. */
  heldUp: ReadonlySet<string>;
  /** Connections that alone are given something, where the delivery is read again for a retry. */
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
  return { ended: idsOf('ended'), heldUp: idsOf('held_up'), retried: isRetried ? idsOf('open') : undefined };
}

/**
 * Ends the runs of a delivery that was read to its end; one that has ended before stays as it is.
 * @param except connections whose items wait
 * @param fault why a delivery is given up: what waits then is not stored
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
    const fault = faultOfAll ?? (share.isLate ? ENDED_MEANWHILE : undefined);
    const status = await inTransaction(pool, async (client) => {
      await lockUser(client, userKey);
      if (fault !== undefined) await noteGivenUp(client, delivery, share);
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
  /** It was to be repeated, and cannot be any more. */
  isLate: boolean;
}

/** The kinds of data of which something was stored are then not complete. */
async function noteGivenUp(
  client: pg.ClientBase,
  { receivedAt }: WaitingDelivery,
  { runId, waitsFor }: OpenShare,
): Promise<void> {
  const at = receivedAt.getTime();
  const failed = waitsFor === null ? 'gave_up' : `gave_up: ${waitsFor}`;
  await planRanges(client, runId, [{ dataType: 'delivery', startMs: at, endMs: at, failed }]);
}

/** Runs `work` while the connection cannot be ended; false for one that was ended, or has another account. */
async function inTransactionOf(
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
