import { randomUUID } from 'node:crypto';
import type { SyncStatusEvent } from '@healthd/schemas';
import type { NewRun } from './sync-runs.js';

/** Returns a run's first event, for callers that queue the run in their own statement. */
export function queuedEvent(userId: string, run: NewRun): SyncStatusEvent {
  return {
    event_id: randomUUID(),
    run_id: run.runId,
    user_id: userId,
    provider: run.provider,
    source: run.source,
    stage: 'queued',
    status: 'in_progress',
    message: run.message ?? null,
    progress: null,
    items_processed: null,
    items_total: null,
    error: null,
    primary_user_id: null,
    retrying: null,
    started_at: null,
    ended_at: null,
    metadata: run.metadata ?? {},
    timestamp: new Date().toISOString(),
  };
}

/**
 * Returns SQL that queues runs, as part of a larger statement.
 * @param rows SQL that selects run_id, user_key, provider, source, message and metadata, in this order and with the
 * columns' types
 */
export function queueRunsSql(rows: string): string {
  return `insert into sync_run (run_id, user_key, provider, source, message, metadata, stage, status)
     select queued.*, 'queued', 'in_progress' from (${rows}) queued`;
}

/**
 * Returns SQL that stores events, as part of a larger statement.
 * @param rows SQL that selects event_id, user_key, run_id and event, in this order
 */
export function appendEventsSql(rows: string): string {
  return `insert into sync_event (event_id, user_key, run_id, event) ${rows}`;
}
