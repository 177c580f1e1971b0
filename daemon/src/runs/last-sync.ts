import type pg from 'pg';
import type { RunRow } from './run-row.js';

/**
 * Records the time of a user's last new data, in the transaction of a run's final step. The user list is sorted by it.
 * Ignores runs without data and, as for connections, backfills, because they bring no new data.
 */
export async function noteLastSync(client: pg.ClientBase, run: RunRow): Promise<void> {
  if (run.ended_at === null || (run.status !== 'success' && run.status !== 'partial')) return;
  if (run.source === 'backfill') return;
  await client.query(
    `insert into user_last_sync (user_key, last_synced_at, provider) values ($1, $2, $3)
     on conflict (user_key) do update set last_synced_at = excluded.last_synced_at, provider = excluded.provider
     where user_last_sync.last_synced_at <= excluded.last_synced_at`,
    [run.user_key, run.ended_at, run.provider],
  );
}
