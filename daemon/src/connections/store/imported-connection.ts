import type { ProviderId } from '@healthd/model';
import type pg from 'pg';

/**
 * Records an imported file's provider as an active connection without an authorization. Does not change an ended
 * connection, because only a new consent or new device credentials connect it again.
 */
export async function recordImportedConnection(pool: pg.Pool, userKey: number, provider: ProviderId): Promise<void> {
  await pool.query(
    `insert into connection as c (user_key, provider, last_synced_at)
     select user_key, $2, now() from health_user where user_key = $1
     on conflict (user_key, provider) do update
       set last_synced_at = excluded.last_synced_at, updated_at = excluded.updated_at where c.status = 'active'`,
    [userKey, provider],
  );
}
