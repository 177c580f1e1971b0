import { batchOf, countItems, groupIntervals, noItems, RejectionTally, rejectionReason } from '@healthd/model';
import type { DeliveredRecords, DeliveryAdapter, TimeRange } from '@healthd/providers';
import type pg from 'pg';
import { type Connection, isGranted } from '../../connections/index.js';
import { advanceRange, countsOf, planRanges } from '../../runs/index.js';
import type { AccountItems, BufferedItem } from './account-buffer.js';
import type { WaitingDelivery } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';
import { type ItemsOfType, newestItems } from './newest-items.js';
import { inTransactionOf, isPending, recordItemsDone, shareOf } from './chunks.js';

/** Maximum number of unstored positions that are recorded for a retry. */
const KEPT_REFUSALS = 1_000;

/**
 * Stores a batch of one connection's items. Commits records, counts, progress and export arrivals in one transaction,
 * so a killed process resumes after the last batch.
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
    const granted = fresh.filter(({ dataType }) => isRequested(adapter, connection, dataType));
    await skipUnrequested(client, share.runId, delivery, new Set(fresh.map((item) => item.dataType)), granted);
    const types = await newestItems(client, connection.id, adapter, granted, now());
    stored = 0;
    for (const type of types) stored += await storeType(services, client, share.runId, delivery, connection, type);
    const arrivals = types.flatMap(({ dataType, items: read }) =>
      read.filter(({ isContinued }) => !isContinued).map(({ span }) => ({ delivered: dataType, span })),
    );
    await exports.recordArrivals(client, connection.id, arrivals, now());
    await connections.markDelivered(client, connection.id, now());
    await recordItemsDone(
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

/** True if the user grants the data type, or if the granted scope is unknown. */
function isRequested({ dataTypes }: DeliveryAdapter, { scope, grantedScopes }: Connection, dataType: string): boolean {
  const type = dataTypes.find(({ id }) => id === dataType);
  return scope === undefined || (type !== undefined && isGranted(type.scopes, grantedScopes));
}

async function skipUnrequested(
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

/** @returns the number of inserted, updated and deleted rows */
async function storeType(
  { writer }: DeliveryServices,
  client: pg.ClientBase,
  runId: string,
  { receivedAt }: WaitingDelivery,
  { userKey, sourceAccount: account }: Connection,
  { dataType, items, tally }: ItemsOfType,
): Promise<number> {
  const at = receivedAt.getTime();
  const startMs = items.reduce((earliest, { span }) => Math.min(earliest, span.startMs), at);
  const endMs = items.reduce((latest, { span }) => Math.max(latest, span.endMs), startMs);
  const { rejections, received, noValue, superseded } = tally;
  let read = { rejections, received, noValue, superseded };
  let rows = 0;
  for (const portion of chunksOf(items)) {
    const written = await writer.writeIn(client, userKey, batchOf(portion.flatMap(({ records }) => records)), {
      arrival: { origin: 'live', runId },
      account,
    });
    const counts = countsOf(written, read);
    await advanceRange(client, runId, { dataType, fromMs: startMs, toMs: endMs }, { doneFromMs: startMs }, counts);
    rows += counts.inserted + counts.updated + counts.deleted;
    read = { rejections: new RejectionTally().report, received: 0, noValue: 0, superseded: 0 };
  }
  return rows;
}

/** Number of replaced spans per write. The store compares each span with all sessions of the write. */
const REPLACED_AT_ONCE = 50;

/**
 * Divides items that replace stored sessions into chunks that each cover a few separate time ranges. Keeps overlapping
 * items together, because each item deletes overlapping data that is missing from the same write.
 */
function chunksOf(items: readonly DeliveredRecords[]): DeliveredRecords[][] {
  if (!items.some(({ records }) => records.some((record) => record.kind === 'replacement'))) return [[...items]];
  const portions: DeliveredRecords[][] = [];
  for (const [at, { items: group }] of groupIntervals(items, replacedSpan).entries()) {
    if (at % REPLACED_AT_ONCE === 0) portions.push([]);
    for (const item of group) portions.at(-1)?.push(item);
  }
  return portions;
}

/** Returns the time of an item and of the sessions and scores that it replaces. */
function replacedSpan({ span, records }: DeliveredRecords): [number, number] {
  const replaced = records.filter((record) => record.kind === 'replacement' && record.of !== 'samples');
  return [span, ...(replaced as TimeRange[])].reduce<[number, number]>(
    ([from, to], { startMs, endMs }) => [Math.min(from, startMs), Math.max(to, endMs)],
    [span.startMs, span.endMs],
  );
}

/** Records in a connection's run that an item of its chunk can never be stored, and skips the item. */
export async function rejectItem(
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
    // Adds an open range. A range that is still open when its run ends makes the data type partial.
    await advanceRange(client, share.runId, { dataType, fromMs: at - 1, toMs: at }, { doneFromMs: at }, counts);
    await recordItemsDone(client, delivery, connection, [index]);
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
