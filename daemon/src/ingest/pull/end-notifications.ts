import type pg from 'pg';
import type { OpenRun } from './open-runs.js';

/**
 * A reported change that is read again now is done. The rest waits for another user of the same account when this
 * one's connection has ended; else it has failed, and the next pull of that kind of data reaches back to it.
 */
export async function endNotifications(
  client: pg.ClientBase,
  { runId, connectionId }: Pick<OpenRun, 'runId' | 'connectionId'>,
  at: Date,
): Promise<void> {
  await client.query(
    `update provider_notification n set ended_at = $2, state = case
       when exists (select from pull_progress p where p.run_id = $1 and p.data_type = n.data_type
                       and p.outcome is distinct from 'success') then 'failed' else 'done' end
      where n.run_id = $1`,
    [runId, at],
  );
  await client.query(
    `update provider_notification n set ended_at = null, state = 'received', run_id = null
      where n.run_id = $1 and n.state = 'failed'
        and not exists (select from connection c where c.id = $2 and c.status = 'active'
                           and c.provider_user_id = n.provider_user_id)
        and exists (select from connection o where o.provider = n.provider and o.status = 'active'
                       and o.provider_user_id = n.provider_user_id)`,
    [runId, connectionId],
  );
}
