import type pg from 'pg';
import { statement } from '../platform/database/index.js';

const updateLastSync = statement(
  'feed-last-sync',
  `update user_state set last_synced_at = $2, last_synced_provider = $3
    where user_key = $1 and (last_synced_at is null or last_synced_at <= $2)`,
);

/**
 * Stores the time and provider of a user's newest data, by which the user list can be sorted. The transaction must hold
 * the user's lock. That lock is on the updated row, so the update blocks no additional transaction.
 */
export async function storeLastSync(
  client: pg.ClientBase,
  userKey: number,
  { at, provider }: { at: Date; provider: string },
): Promise<void> {
  await client.query(updateLastSync([userKey, at, provider]));
}
