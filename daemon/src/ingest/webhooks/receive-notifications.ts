import type { ProviderId } from '@healthd/model';
import { MS_PER_DAY } from '@healthd/model';
import type { DeliveryHead, TimeRange, VendorNotification, WebhookAdapter } from '@healthd/providers';
import type pg from 'pg';
import { inTransaction } from '../../platform/database/index.js';
import { parseJson } from '../../platform/json/index.js';
import { type PullServices, storeNotifications } from '../pull/index.js';

/** Response to a delivery. */
export type DeliveryResponse =
  /** The provider has no webhooks. */
  | { kind: 'unsupported' }
  | { kind: 'refused' }
  /** The sender cannot be verified now; the vendor must resend (503). */
  | { kind: 'unverifiable' }
  | { kind: 'unreadable' }
  | { kind: 'accepted'; status: number; body?: unknown; connectionIds: readonly string[] };

/** One delivery as received. */
export interface Delivery extends DeliveryHead {
  rawBody: Buffer;
}

/** Maximum time by which a range may extend into the future. Longer ranges are implausible and are cut. */
const LONGEST_FUTURE_MS = 2 * MS_PER_DAY;

/** True if the delivery's body should be read. A rejection by its headers costs no memory. */
export async function admitsDelivery(
  { connections, metrics }: PullServices,
  provider: ProviderId,
  head: DeliveryHead,
): Promise<boolean> {
  const adapter = connections.configurationOf(provider)?.cloud.webhook;
  if (!adapter?.authenticatesByHead) return true;
  const admitted = adapter.authenticate(head, Buffer.alloc(0), await connections.webhookSecretsOf(provider));
  if (!admitted) metrics.notified(provider, 'refused');
  return admitted;
}

/**
 * Receives one delivery of a vendor's webhook. Authenticates it first, and stores the changes of connected accounts
 * before the response. The connection's job then reads the changed data.
 */
export async function receiveDelivery(
  services: PullServices,
  provider: ProviderId,
  { headers, query, rawBody }: Delivery,
): Promise<DeliveryResponse> {
  const { connections, metrics } = services;
  const configured = connections.configurationOf(provider);
  const adapter = configured?.cloud.webhook;
  if (!adapter) return { kind: 'unsupported' };
  if (!adapter.authenticate({ headers, query }, rawBody, await connections.webhookSecretsOf(provider))) {
    const handshake = await unsignedHandshake(adapter, rawBody);
    if (handshake) return handshake;
    // Counts a rejection by the headers as `refused`, and a wrong body signature as `badly_signed`.
    metrics.notified(provider, adapter.authenticatesByHead ? 'refused' : 'badly_signed');
    return { kind: 'refused' };
  }
  const parsed = await parseJson(rawBody);
  if ('fault' in parsed) return { kind: 'unreadable' };
  const delivery = adapter.read(parsed.value);
  if (delivery.kind === 'unreadable') return { kind: 'unreadable' };
  const { status } = delivery;
  if (delivery.kind === 'handshake') return { kind: 'accepted', status, body: delivery.body, connectionIds: [] };

  const signature = await adapter.checkSignature?.(headers, rawBody, configured.configuration);
  if (signature?.problem !== undefined) metrics.notified(provider, 'badly_signed');
  if (signature?.verdict === 'refuse') return { kind: 'refused' };
  if (signature?.verdict === 'later') return { kind: 'unverifiable' };

  const handled = new Set(
    configured.cloud.pull?.dataTypes.map(({ id }) => id).filter((id) => adapter.dataTypes.includes(id)),
  );
  const known = delivery.notifications.filter(({ dataType }) => handled.has(dataType));
  count(services, provider, 'unhandled', delivery.notifications.length - known.length);
  const { isEnabled } = await connections.settingOf(provider);
  if (known.length === 0) return { kind: 'accepted', status, connectionIds: [] };
  return { kind: 'accepted', status, connectionIds: await store(services, provider, known, isEnabled) };
}

/** Reads a short body of an unknown sender. Only a handshake gets a response, because it changes nothing. */
async function unsignedHandshake(adapter: WebhookAdapter, rawBody: Buffer): Promise<DeliveryResponse | undefined> {
  if (rawBody.length > (adapter.maxUnsignedHandshakeBytes ?? 0)) return undefined;
  const parsed = await parseJson(rawBody);
  const delivery = 'fault' in parsed ? undefined : adapter.read(parsed.value);
  if (delivery?.kind !== 'handshake') return undefined;
  return { kind: 'accepted', status: delivery.status, body: delivery.body, connectionIds: [] };
}

/**
 * Stores changes of connected accounts. Changes that arrive while the provider is disabled wait for the first pull
 * afterwards. @returns one connection per account, whose job reads the data
 */
async function store(
  services: PullServices,
  provider: ProviderId,
  notifications: readonly VendorNotification[],
  isEnabled: boolean,
): Promise<string[]> {
  const { pool, connections, now } = services;
  const matched = await matchingConnections(pool, provider, notifications);
  const rows = notifications.flatMap((one) =>
    matched.has(one.providerUserId) ? one.ranges.flatMap((range) => rowOf(one, range, now().getTime())) : [],
  );
  const unmatched = notifications.filter(({ providerUserId }) => !matched.has(providerUserId)).length;
  count(services, provider, 'unmatched', unmatched);
  count(services, provider, 'accepted', notifications.length - unmatched);
  if (matched.size === 0) return [];
  await inTransaction(pool, async (client) => {
    await storeNotifications(client, provider, rows, { at: now(), state: isEnabled ? 'received' : 'failed' });
    if (!isEnabled) return;
    await connections.markNotified([...matched.values()].flat(), now(), client);
  });
  if (!isEnabled) return [];
  await connections.markFirstNotified(provider);
  return [...matched.values()].flatMap(([first]) => first ?? []);
}

/** Returns the active connections of the named accounts, oldest first. One delivery may name thousands. */
async function matchingConnections(
  pool: pg.Pool,
  provider: ProviderId,
  notifications: readonly VendorNotification[],
): Promise<Map<string, string[]>> {
  const accounts = [...new Set(notifications.map(({ providerUserId }) => providerUserId))];
  const { rows } = await pool.query<{ id: string; account: string }>(
    `select id, provider_user_id as account from connection
      where provider = $1 and provider_user_id = any ($2::text[]) and status = 'active' order by created_at, id`,
    [provider, accounts],
  );
  const matched = new Map<string, string[]>();
  for (const { id, account } of rows) {
    const known = matched.get(account);
    if (known) known.push(id);
    else matched.set(account, [id]);
  }
  return matched;
}

function rowOf({ providerUserId, dataType, itemId, operation }: VendorNotification, range: TimeRange, nowMs: number) {
  const endMs = Math.min(range.endMs, nowMs + LONGEST_FUTURE_MS);
  if (!(range.startMs < endMs)) return [];
  return [{ account: providerUserId, dataType, itemId, operation, startMs: range.startMs, endMs }];
}

function count(
  { metrics }: PullServices,
  provider: ProviderId,
  outcome: 'accepted' | 'unmatched' | 'unhandled',
  times: number,
): void {
  for (let done = 0; done < times; done++) metrics.notified(provider, outcome);
}
