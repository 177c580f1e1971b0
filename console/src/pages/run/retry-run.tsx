import { retrySyncRun } from '@healthd/contract';
import type { SyncRun } from '@healthd/schemas';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { Problem } from '../../components/problem.js';
import { client } from '../../session.js';

/** Repeats a run that failed or stored only a part, and goes on to the run that does. */
export function RetryRun({ run }: { run: SyncRun }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const retry = useMutation({
    mutationFn: () => client.call(retrySyncRun, { params: { run_id: run.run_id } }),
    onSuccess: async ({ run_id }) => {
      await queries.invalidateQueries({ queryKey: ['runs'] });
      await navigate(`/runs/${run_id}`);
    },
  });
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
