import { OWN_QUOTA_WAIT } from '@healthd/providers';
import type pg from 'pg';
import { noteConnectionFailure, noteConnectionSuccess } from '../connections/index.js';
import type { RunRow } from './run-row.js';

/**
 * Applies a run's step to its connection in the step's transaction. Ignores files: a faulty file does not mean that the
 * phone's connection fails.
 */
export async function noteConnectionOutcome(client: pg.ClientBase, run: RunRow): Promise<void> {
  if (run.source === 'xml_import') return;
  const failure = failureOf(run);
  if (failure !== undefined) await noteConnectionFailure(client, run, failure, run.updated_at);
  else if (['success', 'partial', 'skipped'].includes(run.status)) await noteConnectionSuccess(client, run);
}

/**
 * A partial device batch was stored; the run's report lists its faulty items. Waiting for the service's own quota is
 * not a failure.
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
