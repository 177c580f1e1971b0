import type { ProviderId } from '@healthd/model';
import type pg from 'pg';

const LOCK_SPACE = 'healthd vendor account';

/**
 * Prevents other transactions, until this transaction ends, from connecting a user to this vendor account or revoking
 * its grant. Otherwise a grant could be revoked as unused while another user connects to it.
 */
export async function lockVendorAccount(client: pg.ClientBase, provider: ProviderId, account: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
    LOCK_SPACE,
    `${provider}/${account}`,
  ]);
}
