import { MS_PER_MINUTE } from '@healthd/model';
import { type PullAdapter, type TimeRange, VendorError, type VendorErrorCode } from '@healthd/providers';
import type pg from 'pg';
import { type Connection, isGranted } from '../../connections/index.js';
import { SESSION_TABLES } from './notified-ranges.js';
import type { PullServices } from './pull-services.js';

/** Number of items to locate before the due runs continue. */
const AT_ONCE = 20;
/**
 * Time during which the vendor is queried again about an item. After that, the service searches for the item in the
 * range of new items.
 */
const REQUESTED_MS = 15 * MS_PER_MINUTE;
/** Errors of a single item that would recur on a retry. */
const OF_ONE: readonly VendorErrorCode[] = ['scope_missing', 'invalid_request', 'conflict', 'invalid_answer'];

interface UnlocatedItem {
  item_id: string;
  data_type: string;
  received_at: Date;
}

/**
 * Requests the times of items that the vendor reported by ID only and that are not stored, because such items may have
 * any date. The returned time replaces the range in which new items are searched for. Completes the reports of items
 * that the vendor does not have.
 * @returns true if another request should follow in this turn
 */
export async function locateItems(
  services: PullServices,
  connection: Connection,
  signal: AbortSignal,
): Promise<boolean> {
  const { pool, connections, now } = services;
  const adapter = adapterOf(services, connection);
  const items = await unlocatedItems(pool, adapter, connection, AT_ONCE);
  if (!adapter?.locate || items.length === 0) return true;
  if (!(await connections.settingOf(connection.provider)).isEnabled) return false;
  const api = connections.vendorApiOf(connection, signal, 'webhook');
  for (const item of items) {
    signal.throwIfAborted();
    try {
      const range = await adapter.locate(api, item.data_type, item.item_id);
      await settle(pool, connection, item, range ?? 'gone', now());
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      const isOld = now().getTime() - item.received_at.getTime() > REQUESTED_MS;
      if (!OF_ONE.includes(error.code) && (error.code === 'rate_limited' || !isOld)) return false;
      await settle(pool, connection, item, 'unknown', now());
    }
  }
  return true;
}

/** Returns the notifications that wait for the times of their items. */
export async function unlocatedNotifications(
  client: pg.ClientBase,
  services: PullServices,
  connection: Connection,
): Promise<Set<string>> {
  const items = await unlocatedItems(client, adapterOf(services, connection), connection);
  return new Set(items.map(({ data_type, item_id }) => keyOf(data_type, item_id)));
}

/** Identifies one item of one data type. */
export function keyOf(dataType: string, itemId: string | null): string {
  return `${dataType} ${itemId}`;
}

function adapterOf({ connections }: PullServices, { provider }: Connection): PullAdapter | undefined {
  return connections.configurationOf(provider)?.cloud.pull;
}

/** Returns the reported items that no user of the account has, in the order of their reports. */
async function unlocatedItems(
  client: pg.Pool | pg.ClientBase,
  adapter: PullAdapter | undefined,
  { provider, providerUserId, grantedScopes }: Connection,
  limit: number | null = null,
): Promise<UnlocatedItem[]> {
  if (!adapter?.locate) return [];
  const items: UnlocatedItem[] = [];
  for (const { id, itemsIn, scopes } of adapter.dataTypes) {
    if (itemsIn === undefined || !isGranted(scopes, grantedScopes)) continue;
    const { rows } = await client.query<UnlocatedItem>(
      `select n.item_id, n.data_type, min(n.received_at) as received_at from provider_notification n
        where n.provider = $1 and n.provider_user_id = $2 and n.data_type = $3 and n.item_id is not null
          and n.operation = 'upsert' and n.run_id is null and n.state = 'received'
          and not exists (
            select from ${SESSION_TABLES[itemsIn]} s
              join data_source d on d.user_key = s.user_key and d.source_id = s.source_id and d.provider = $1
              join connection c on c.user_key = s.user_key and c.provider = $1 and c.provider_user_id = $2
             where s.external_id = n.item_id)
        group by n.item_id, n.data_type order by min(n.seq) limit $4`,
      [provider, providerUserId, id, limit],
    );
    items.push(...rows);
  }
  return items;
}

/**
 * Stores the item's time in its notifications, which then refer to a time instead of an item. Completes the
 * notifications of a deleted item.
 */
async function settle(
  pool: pg.Pool,
  { provider, providerUserId }: Connection,
  { data_type, item_id }: UnlocatedItem,
  found: TimeRange | 'gone' | 'unknown',
  now: Date,
): Promise<void> {
  const isDeleted = found === 'gone';
  const range = typeof found === 'object' ? found : undefined;
  await pool.query(
    `update provider_notification
        set item_id = case when $5::boolean then item_id end, start_at = coalesce(to_timestamp($6::float8 / 1000), start_at),
            end_at = coalesce(to_timestamp($7::float8 / 1000), end_at),
            state = case when $5 then 'done' else state end, ended_at = case when $5 then $8::timestamptz else ended_at end
      where provider = $1 and provider_user_id = $2 and data_type = $3 and item_id = $4 and operation = 'upsert'
        and run_id is null and state = 'received'`,
    [provider, providerUserId, data_type, item_id, isDeleted, range?.startMs ?? null, range?.endMs ?? null, now],
  );
}
