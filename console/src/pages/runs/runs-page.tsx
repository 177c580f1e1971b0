import { listSyncRuns, SYNC_STATUSES } from '@healthd/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Command } from '../../components/command.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { RunsTable } from '../../components/runs-table.js';
import { usePageTitle } from '../../page-title.js';
import { runsRefresh } from '../../runs-refresh.js';
import { client } from '../../session.js';

const LIMIT = 100;

export function RunsPage() {
  const [filters, setFilters] = useSearchParams();
  const status = SYNC_STATUSES.find((known) => known === filters.get('status'));
  usePageTitle('Runs');
  const runs = useQuery({
    queryKey: ['runs', status],
    queryFn: ({ signal }) => client.call(listSyncRuns, { query: { limit: String(LIMIT), status }, signal }),
    refetchInterval: ({ state }) => runsRefresh(state.data),
    placeholderData: keepPreviousData,
  });
  const words = status?.replaceAll('_', ' ');
  return (
    <>
      <div className="row spread">
        <h1>Runs</h1>
        <select
          aria-label="Status"
          value={status ?? ''}
          onChange={(event) => setFilters(event.target.value ? { status: event.target.value } : {})}
        >
          <option value="">Every status</option>
          {SYNC_STATUSES.map((word) => (
            <option key={word} value={word}>
              {word.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </div>
      {runs.error && <Problem error={runs.error} retry={runs.refetch} />}
      {runs.isPending && <Loading />}
      {runs.data && (
        <RunsTable
          runs={runs.data}
          withUser
          empty={words ? `No run has the status “${words}”.` : 'No runs yet. An import on a user’s page starts one.'}
          stale={runs.isPlaceholderData}
        />
      )}
      {runs.data?.length === LIMIT && <p className="muted">The newest {LIMIT} runs.</p>}
      <Command line={`healthctl runs list${status ? ` --status ${status}` : ''}`} />
    </>
  );
}
