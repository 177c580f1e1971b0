import type { SyncRun } from '@healthd/schemas';
import { useNavigate } from 'react-router';
import { Problem } from '../../components/problem.js';
import { useRetryRun } from '../../hooks/use-runs.js';

/** Retries a failed or partial run and opens the new run. */
export function RetryRun({ run }: { run: SyncRun }) {
  const navigate = useNavigate();
  const retry = useRetryRun(run, (runId) => navigate(`/runs/${runId}`));
  if (run.status !== 'failed' && run.status !== 'partial') return null;
  return (
    <>
      {retry.error && <Problem error={retry.error} />}
      <div className="row">
        <button type="button" disabled={retry.isPending} onClick={() => retry.mutate()}>
          Retry
        </button>
      </div>
    </>
  );
}
