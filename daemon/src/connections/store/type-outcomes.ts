import type pg from 'pg';

/** Clears the rejections of data types, because a new consent may grant data types that were rejected before. */
export async function clearRejections(client: pg.ClientBase, connectionId: string): Promise<void> {
  await client.query(
    `update connection_data_type set last_outcome = null where connection_id = $1 and last_outcome = 'skipped'`,
    [connectionId],
  );
}

/** Records the outcome of each data type in the connection's last pull from its cursor. */
export async function recordOutcomes(
  client: pg.ClientBase,
  connectionId: string,
  reports: Readonly<Record<string, { status: string; error?: string }>>,
  at: Date,
): Promise<void> {
  const entries = Object.entries(reports);
  await client.query(
    `insert into connection_data_type as t (connection_id, data_type, last_outcome, last_error, last_run_at, last_success_at)
     select $1, data_type, outcome, error, $5, case when outcome = 'success' then $5::timestamptz end
       from unnest($2::text[], $3::text[], $4::text[]) as ended (data_type, outcome, error)
     on conflict (connection_id, data_type) do update
        set last_outcome = excluded.last_outcome, last_error = excluded.last_error, last_run_at = excluded.last_run_at,
            last_success_at = coalesce(excluded.last_success_at, t.last_success_at)`,
    [
      connectionId,
      entries.map(([dataType]) => dataType),
      entries.map(([, { status }]) => status),
      entries.map(([, { error }]) => error ?? null),
      at,
    ],
  );
}
