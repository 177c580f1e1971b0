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
  if (failure !== undefined) await noteConnectionFailure(client, run, failure);
  else if (['success', 'partial', 'skipped'].includes(run.status)) await noteConnectionSuccess(client, run);
}

/** A device's batch that is partial was stored: what is wrong with some of its items is told by the run. */
function failureOf({ status, source, error, message, next_try_at: nextTryAt }: RunRow): string | undefined {
  const isFailure = status === 'failed' || nextTryAt !== null || (status === 'partial' && source !== 'sdk');
  return isFailure ? (error ?? message ?? 'The run failed.') : undefined;
}
