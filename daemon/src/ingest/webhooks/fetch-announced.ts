import { createHash, randomUUID } from 'node:crypto';
import type { ProviderId } from '@healthd/model';
import { type CallbackAdapter, type DeliveryAdapter, VendorError, type VendorRequest } from '@healthd/providers';
import type { Connection } from '../../connections/index.js';
import { writeWhole } from '../../platform/spool/index.js';
import { acceptDelivery, type WaitingDelivery } from './deliveries.js';
import type { DeliveryServices } from './delivery-services.js';

/** Data that a delivery announces. */
export interface Announced {
  account: string;
  url: string;
  dataType: string;
  value: unknown;
}

/**
 * Fetches announced data with the token of a connection of the account. Stores the data as a separate delivery, because
 * a URL may work only once. Data that can never be fetched becomes a rejected item of the run.
 * @returns false if the account has no connection
 * @throws VendorError for a transient failure
 */
export async function fetchAnnounced(
  services: DeliveryServices,
  delivery: WaitingDelivery,
  adapter: DeliveryAdapter & { callback: CallbackAdapter },
  { account, url, dataType, value }: Announced,
): Promise<boolean> {
  const { connections } = services;
  const { provider } = delivery;
  const configured = connections.configurationOf(provider);
  const open = (await connections.connectionsOfVendorAccount(provider, account)).filter(({ hasTokens }) => hasTokens);
  if (open.length === 0 || !configured) return false;
  const failed = (code: string) => Buffer.from(JSON.stringify([adapter.callback.failed(value, code)]));
  const request = adapter.callback.request(url, configured.configuration);
  const found = request
    ? await itemsOf(services, adapter.callback, open, request, { dataType, value })
    : 'foreign_address';
  const items = typeof found === 'string' ? failed(found) : found;
  const isStored = await store(services, delivery, adapter, dataType, items);
  if (!isStored) await store(services, delivery, adapter, dataType, failed('invalid_answer'));
  return true;
}

/** @returns a code if the items can never be fetched. @throws VendorError for a transient failure */
async function itemsOf(
  { connections }: DeliveryServices,
  callback: CallbackAdapter,
  open: readonly Connection[],
  request: VendorRequest,
  { dataType, value }: Pick<Announced, 'dataType' | 'value'>,
): Promise<Buffer | string> {
  let failure = 'unauthorized';
  for (const connection of open) {
    try {
      const bytes = await connections.vendorApiOf(connection).call(request);
      return await callback.itemsOf(dataType, value, bytes instanceof Uint8Array ? bytes : new Uint8Array());
    } catch (error) {
      if (!(error instanceof VendorError) || error.isTransient) throw error;
      // Tries another user's token for the same account if the vendor rejects this token.
      failure = error.code === 'not_found' ? 'gone' : (error.reason ?? error.code);
      if (error.code !== 'unauthorized') return failure;
    }
  }
  return failure;
}

/** @returns false if the items are not a list */
async function store(
  { pool, spool, splitting }: DeliveryServices,
  { provider, receivedAt }: { provider: ProviderId; receivedAt: Date },
  { maxItemBytes }: DeliveryAdapter,
  dataType: string,
  items: Buffer,
): Promise<boolean> {
  const id = randomUUID();
  const spoolName = spool.nameOf(id);
  const body = Buffer.concat([Buffer.from(`{${JSON.stringify(dataType)}:`), items, Buffer.from('}')]);
  try {
    const handle = await spool.create(spoolName);
    try {
      await writeWhole(handle, body);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if ((await splitting.check(spool.pathOf(spoolName), maxItemBytes)) !== undefined) {
      await spool.remove(spoolName);
      return false;
    }
    await spool.sync();
    const sha256 = createHash('sha256').update(body).digest();
    await acceptDelivery(pool, {
      id,
      provider,
      spoolName,
      byteSize: body.length,
      sha256,
      sender: null,
      at: receivedAt,
    });
    return true;
  } catch (error) {
    await spool.remove(spoolName);
    throw error;
  }
}
