import type { ProviderId } from '@healthd/model';
import type pg from 'pg';

const LOCK_SPACE = 'healthd vendor account';

/**
 * Until the transaction ends, no other process connects a user to this account of a vendor or ends the account's grant: one that
 * is to be ended because no one is connected to it is not given to another user meanwhile.
 */
export async function lockVendorAccount(client: pg.ClientBase, provider: ProviderId, account: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
    LOCK_SPACE,
    `${provider}/${account}`,
  ]);
}
