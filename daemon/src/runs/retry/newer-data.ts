import type { ProviderId } from '@healthd/model';
import type pg from 'pg';

/**
 * True if another run stored data of this user and provider that is newer than the data received at `since`. The older
 * data must then not overwrite the newer data. Data from devices and files is as new as the creation of its run, which
 * is the time of reception. Vendor data is as new as its read. Ignores runs that `runId` repeats.
 */
export async function hasNewerData(
  client: pg.Pool | pg.ClientBase,
  { userKey, provider, runId, since }: { userKey: number; provider: ProviderId; runId: string; since: Date },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `with recursive repeated (run_id, earlier) as (
       select run_id, metadata ->> 'retry_of' from sync_run where run_id = $3
       union all
       select r.run_id, r.metadata ->> 'retry_of' from sync_run r join repeated on r.run_id = repeated.earlier)
     select 1 from sync_run
      where user_key = $1 and provider = $2 and run_id not in (select run_id from repeated)
        and (created_at > $4 or (source not in ('sdk', 'xml_import') and updated_at > $4))
        and not coalesce((metadata ->> 'dry_run')::boolean, false)
        and (status in ('success', 'partial') or coalesce(items_processed, 0) > 0) limit 1`,
    [userKey, provider, runId, since],
  );
  return rowCount === 1;
}
