import type pg from 'pg';
import type { RunRow } from './run-row.js';

/**
 * When data of a user came last, in the transaction of the step that ends a run: the list of users is sorted by it. An end
 * that brought none changes nothing, nor does a backfill, as for connections: it says nothing of what is new.
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
