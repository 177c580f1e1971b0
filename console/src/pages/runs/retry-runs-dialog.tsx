import type { SyncRunSummary } from '@healthd/schemas';
import { ManyDialog } from '../../components/many-dialog.js';
import { providerName } from '../../components/provider-name.js';
import { formatCount } from '../../format.js';
import { useRetryRuns } from '../../hooks/use-runs.js';
import { runKind } from '../../run-kind.js';

interface RetryRunsDialogProps {
  runs: readonly SyncRunSummary[];
  onClose: () => void;
}

/** Explains the effect of a retry, starts it, and lists the rejected runs. */
export function RetryRunsDialog({ runs, onClose }: RetryRunsDialogProps) {
  const retry = useRetryRuns();
  const userCount = new Set(runs.map(({ user_id }) => user_id)).size;
  return (
    <ManyDialog
      title={`Retry ${formatCount(runs.length)} ${runs.length === 1 ? 'run' : 'runs'}?`}
      action="Retry runs"
      counted="Retries started"
      work={retry}
      total={runs.length}
      onBegin={() => retry.mutate(runs.map(({ run_id }) => run_id))}
      onClose={onClose}
    >
      {retry.data ? (
        <Outcome {...retry.data} />
      ) : (
        <>
          <p>
            Processes the received data of {formatCount(userCount)} {userCount === 1 ? 'user' : 'users'} again. Stored
            data is not duplicated.
          </p>
          <ul className="plain-list">
            {countsOf(runs).map(([words, count]) => (
              <li key={words}>
                <b>{formatCount(count)}</b> {words}
              </li>
            ))}
          </ul>
        </>
      )}
    </ManyDialog>
  );
}

function Outcome({ startedCount, rejections }: { startedCount: number; rejections: readonly string[] }) {
  const reasons = tallied(rejections);
  return (
    <div role="status">
      <p>
        {formatCount(startedCount)} {startedCount === 1 ? 'run is' : 'runs are'} being retried.
      </p>
      {reasons.length > 0 && (
        <ul className="plain-list">
          {reasons.map(([reason, count]) => (
            <li key={reason}>
              <b>{formatCount(count)}</b> rejected: {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Counts runs by type and provider. */
function countsOf(runs: readonly SyncRunSummary[]): [string, number][] {
  return tallied(runs.map(({ source, provider }) => `${runKind(source)} · ${providerName(provider)}`));
}

function tallied(words: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
