import { listSyncRuns } from '@healthd/contract';
import type { SyncRunSummary } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { countText } from '../ui/amounts.js';
import { type Finding, failed, failureFinding, ok, warning } from './findings.js';
import { nextTryText } from './retrying.js';

/** Maximum number of counted runs. */
const COUNTED = 100;

/** Checks for failed runs without a later success, and for runs that wait for a retry. */
export async function runsFinding(cli: Cli): Promise<Finding> {
  try {
    const client = await cli.client();
    const list = (filter: { unresolved: 'true' } | { retrying: 'true' }) =>
      client.call(listSyncRuns, { query: { ...filter, limit: COUNTED }, signal: cli.signal });
    const [unresolved, retrying] = await Promise.all([list({ unresolved: 'true' }), list({ retrying: 'true' })]);
    const newest = unresolved[0];
    if (newest) return failedRuns(unresolved.length, newest);
    const soonest = retrying.toSorted((a, b) => nextTryOf(a).localeCompare(nextTryOf(b)))[0];
    if (soonest) return waitingRuns(retrying.length, soonest);
    return ok('runs', 'no unresolved failures in the last 24 hours');
  } catch (error) {
    return failureFinding('runs', error);
  }
}

function failedRuns(count: number, newest: SyncRunSummary): Finding {
  const found = `${amount(count)} failed in the last 24 hours without a later success; the newest: ${newest.run_id} (${newest.provider}): ${newest.error ?? 'unknown cause'}`;
  const rest = count > 1 ? '; all of them: healthctl runs list --unresolved' : '';
  return failed('runs', found, `healthctl runs retry ${newest.run_id}${rest}`, 'runs_failed');
}

function waitingRuns(count: number, soonest: SyncRunSummary): Finding {
  const wait = count === 1 ? 'waits' : 'wait';
  const cause = soonest.message ?? soonest.retrying?.reason ?? 'unknown cause';
  const found = `${amount(count)} ${wait} for another attempt; the next: ${soonest.run_id} (${soonest.provider}), ${nextTryText(nextTryOf(soonest))}: ${cause}`;
  return warning('runs', found, 'healthctl runs list --retrying');
}

function amount(count: number): string {
  return count === COUNTED ? `${COUNTED} runs or more` : countText(count, 'run');
}

function nextTryOf({ retrying }: SyncRunSummary): string {
  return retrying?.next_try_at ?? '';
}
