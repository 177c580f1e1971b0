import { listSyncRuns, SYNC_STATUSES, type SyncStatus } from '@healthd/api';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Problem } from '../../components/problem.js';
import { RunsTable } from '../../components/runs-table.js';
import { client } from '../../session.js';

export function RunsPage() {
  const [filters, setFilters] = useSearchParams();
  const status = SYNC_STATUSES.find((known) => known === filters.get('status'));
  const runs = useQuery({
    queryKey: ['runs', status],
    queryFn: ({ signal }) => client.call(listSyncRuns, { query: { limit: '100', status }, signal }),
    refetchInterval: 3_000,
  });
  return (
    <>
      <div className="row spread">
        <h1>Runs</h1>
        <select
          aria-label="Status"
          value={status ?? ''}
          onChange={(event) => setFilters(event.target.value ? { status: event.target.value as SyncStatus } : {})}
        >
          <option value="">Every status</option>
          {SYNC_STATUSES.map((word) => (
            <option key={word} value={word}>
              {word.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </div>
      {runs.error && <Problem error={runs.error} />}
      <div className="card scroll">
        {runs.data && <RunsTable runs={runs.data} withUser />}
        {runs.data?.length === 0 && (
          <div className="empty">No runs{status ? ` that are ${status.replaceAll('_', ' ')}` : ' yet'}.</div>
        )}
      </div>
    </>
  );
}
