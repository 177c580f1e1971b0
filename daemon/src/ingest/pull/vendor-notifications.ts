import type { ProviderId } from '@healthd/model';
import type { VendorNotification } from '@healthd/providers';
import type pg from 'pg';

/** A range that a vendor reported as changed. */
export interface ReportedChange {
  /** The user's account at the vendor. */
  account: string;
  dataType: string;
  itemId: string | undefined;
  operation: VendorNotification['operation'];
  startMs: number;
  endMs: number;
}

/** Stores a vendor's reports. The next run reads `received` reports. `failed` reports wait for the next pull. */
export async function storeNotifications(
  client: pg.ClientBase,
  provider: ProviderId,
  changes: readonly ReportedChange[],
  how: { at: Date; state: 'received' | 'failed' },
): Promise<void> {
  await client.query(
    `insert into provider_notification (provider, provider_user_id, data_type, operation, start_at, end_at, received_at, state, item_id)
     select $1, account, data_type, operation, to_timestamp(start_ms / 1000), to_timestamp(end_ms / 1000), $7, $8, item_id
       from unnest($2::text[], $3::text[], $4::text[], $5::float8[], $6::float8[], $9::text[])
            as reported (account, data_type, operation, start_ms, end_ms, item_id)`,
    [
      provider,
      changes.map(({ account }) => account),
      changes.map(({ dataType }) => dataType),
      changes.map(({ operation }) => operation),
      changes.map(({ startMs }) => startMs),
      changes.map(({ endMs }) => endMs),
      how.at,
      how.state,
      changes.map(({ itemId }) => itemId ?? null),
    ],
  );
}

/**
 * Deletes a vendor's reports about an erased user. Vendors identify users by vendor account, so reports about an
 * account that another user shares are kept. Call before the user's connections are deleted.
 */
export async function deleteNotificationsOf(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query(
    `delete from provider_notification n using connection c
      where c.user_key = $1 and n.provider = c.provider and n.provider_user_id = c.provider_user_id
        and not exists (select 1 from connection o where o.provider = c.provider
                           and o.provider_user_id = c.provider_user_id and o.user_key <> c.user_key)`,
    [userKey],
  );
}
