import { OWN_QUOTA_WAIT } from '@healthd/providers';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';

/** The user and provider of a connection. */
interface ConnectionOwner {
  user_key: number;
  provider: string;
}

const fail = statement(
  'connection_failure',
  `update connection set last_error = $3, last_error_at = $4, failing_since = coalesce(failing_since, $4)
    where user_key = $1 and provider = $2`,
);

/**
 * Clears a connection's failure. Keeps the failure while another run of the connection waits to retry a data type that
 * no newer run has read. Waiting for the service's own quota does not count. Also keeps the failure if a data type
 * failed within the last day and was not read since.
 */
const succeed = statement(
  'connection_success',
  `update connection c set last_error = null, last_error_at = null, failing_since = null
    where user_key = $1 and provider = $2 and failing_since is not null
      and not exists (select from sync_run r where r.user_key = c.user_key and r.provider = c.provider
                         and r.source <> 'xml_import' and r.next_try_at is not null
                         and r.retry_reason is distinct from '${OWN_QUOTA_WAIT}'
                         and exists (select from pull_progress p where p.run_id = r.run_id and p.outcome is null
                                        and p.error is not null
                                        and not exists (select from sync_run n
                                          where n.user_key = r.user_key and n.provider = r.provider
                                            and n.ended_at >= r.updated_at
                                            and n.created_at > r.updated_at - interval '2 days'
                                            and n.metadata -> 'data_types' -> p.data_type ->> 'status' = 'success')))
      and not exists (
        select from sync_run f cross join lateral jsonb_each(coalesce(f.metadata -> 'data_types', '{}')) as kind (name, report)
         where f.user_key = c.user_key and f.provider = c.provider and f.created_at > now() - interval '2 days'
           and f.ended_at >= c.failing_since and f.ended_at > now() - interval '1 day'
           and kind.report ->> 'status' in ('failed', 'partial')
           and not exists (select from sync_run n
                            where n.user_key = f.user_key and n.provider = f.provider
                              and n.created_at > now() - interval '2 days' and n.ended_at > f.ended_at
                              and n.metadata -> 'data_types' -> kind.name ->> 'status' in ('success', 'skipped')))`,
);

/**
 * Stores a connection's last error and the start of its failures.
 * @param error message for users, without values or vendor text
 */
export async function recordConnectionFailure(client: pg.ClientBase, owner: ConnectionOwner, error: string, at: Date) {
  await client.query(fail([owner.user_key, owner.provider, error, at]));
}

/** Clears the last error. */
export async function recordConnectionSuccess(client: pg.ClientBase, owner: ConnectionOwner) {
  await client.query(succeed([owner.user_key, owner.provider]));
}
