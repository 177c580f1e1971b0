import { OWN_QUOTA_WAIT } from '@healthd/providers';
import type pg from 'pg';
import { noteConnectionFailure, noteConnectionSuccess } from '../connections/index.js';
import type { RunRow } from './run-row.js';

/**
 * What a step of a run says of the connection that it runs for, in the transaction of the step. A file is no connection:
 * what is wrong with it says nothing of the phone.
 */
export async function noteConnectionOutcome(client: pg.ClientBase, run: RunRow): Promise<void> {
  if (run.source === 'xml_import') return;
  const failure = failureOf(run);
  if (failure !== undefined) await noteConnectionFailure(client, run, failure, run.updated_at);
  else if (['success', 'partial', 'skipped'].includes(run.status)) await noteConnectionSuccess(client, run);
}

/**
 * A device's batch that is partial was stored: what is wrong with some of its items is in the report of the run. To wait
 * for the quota that the service keeps to is no failure.
 */
function failureOf({
  status,
  source,
  error,
  message,
  next_try_at: nextTryAt,
  retry_reason: reason,
}: RunRow): string | undefined {
  const isRetried = nextTryAt !== null && reason !== OWN_QUOTA_WAIT;
  const isFailure = status === 'failed' || isRetried || (status === 'partial' && source !== 'sdk');
  return isFailure ? (error ?? message ?? 'The run failed.') : undefined;
}
