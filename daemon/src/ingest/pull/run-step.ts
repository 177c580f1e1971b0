import type pg from 'pg';

/** Whether a run has not ended. */
export async function isRunOpen(client: pg.ClientBase, runId: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from sync_run where run_id = $1 and ended_at is null', [runId]);
  return rowCount === 1;
}

/** Whether a run says that it waits for another attempt. */
export async function isRunRetrying(client: pg.ClientBase, runId: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from sync_run where run_id = $1 and next_try_at is not null', [
    runId,
  ]);
  return rowCount === 1;
}

/** How far a run is, by the progress of its ranges. */
export async function fetchingStepOf(
  client: pg.ClientBase,
  runId: string,
): Promise<{ progress: number; itemsProcessed: number }> {
  const { rows } = await client.query<{ done_share: number | null; items: number }>(
    `select sum(extract(epoch from to_at - (case when outcome is null then done_from_at else from_at end)))::float8
              / nullif(sum(extract(epoch from to_at - from_at)), 0)::float8 as done_share,
            sum(inserted + updated + deleted)::float8 as items
       from pull_progress where run_id = $1`,
    [runId],
  );
  const { done_share, items = 0 } = rows[0] ?? { done_share: 0 };
  return { progress: Math.min(0.99, Math.max(0, done_share ?? 0)), itemsProcessed: items };
}
