import { listSyncRuns } from '@healthd/contract';
import type { SyncRunSummary } from '@healthd/schemas';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Commands } from '../../components/commands.js';
import { CsvButton } from '../../components/csv-button.js';
import { FilterSelect, filterValue } from '../../components/filter-select.js';
import { Loading } from '../../components/loading.js';
import { MoreRows } from '../../components/more-rows.js';
import { UserFilter } from '../../components/user-filter.js';
import { Problem } from '../../components/problem.js';
import { ProviderFilter } from '../../components/provider-filter.js';
import { RunsTable } from '../../components/runs-table.js';
import { formatCount } from '../../format.js';
import { useFilters } from '../../hooks/use-filters.js';
import { readRuns, runQueryOf, useRuns } from '../../hooks/use-runs.js';
import { usePageTitle } from '../../page-title.js';
import { RECENT_DAYS } from '../../recent-days.js';
import { RetryRunsDialog } from './retry-runs-dialog.js';
import { KINDS, runFilterOf, runOptionsOf, STATES } from './run-filter.js';

const CSV_COLUMNS = [
  'run_id',
  'user_id',
  'provider',
  'source',
  'stage',
  'status',
  'items_processed',
  'started_at',
  'ended_at',
  'error',
  'message',
] as const;

/** Runs of all users, filtered by the URL. */
export function RunsPage() {
  const [address, change] = useFilters();
  const [chosen, setChosen] = useState<Readonly<Record<string, true>>>({});
  const [retried, setRetried] = useState<readonly SyncRunSummary[]>();
  usePageTitle('Runs');
  const filter = runFilterOf(address);
  const runs = useRuns(filter);
  const rows = runs.data?.pages.flat() ?? [];
  const selected = rows.filter(({ run_id }) => chosen[run_id]);
  return (
    <>
      <div className="row spread">
        <h1>Runs</h1>
        <div className="row">
          {selected.length > 0 && (
            <button type="button" className="primary" onClick={() => setRetried(selected)}>
              <RotateCcw className="icon" aria-hidden="true" /> Retry {formatCount(selected.length)}…
            </button>
          )}
          <CsvButton name="runs" columns={CSV_COLUMNS} read={(signal) => readRuns(filter, signal)} />
        </div>
      </div>
      <search className="row filters">
        <UserFilter value={filter.user_id} onChange={(user) => change({ user })} />
        <ProviderFilter value={filter.provider} onChange={(provider) => change({ provider })} />
        <FilterSelect
          label="Type"
          all="All types"
          options={KINDS}
          value={filter.source}
          onChange={(kind) => change({ kind })}
        />
        <FilterSelect
          label="Status"
          all="All statuses"
          options={STATES}
          value={filter.retrying ? 'retrying' : filter.status}
          onChange={(status) => change({ status })}
        />
        <FilterSelect
          label="Time"
          all="Any time"
          options={RECENT_DAYS}
          value={filterValue(RECENT_DAYS, address.get('days'))}
          onChange={(days) => change({ days })}
        />
      </search>
      {runs.error && !runs.isFetchNextPageError && <Problem error={runs.error} retry={runs.refetch} />}
      {runs.isPending && <Loading />}
      {runs.data && (
        <RunsTable
          runs={rows}
          withUser
          empty={
            runOptionsOf(filter) === ''
              ? 'No runs yet. Open a user to connect a provider or import a file.'
              : 'No runs match these filters.'
          }
          stale={runs.isPlaceholderData}
          selection={{ chosen, onChange: setChosen }}
        />
      )}
      <MoreRows count={rows.length} pages={runs} />
      <Commands
        healthctl={`healthctl runs list${runOptionsOf(filter)}`}
        route={listSyncRuns}
        input={{ query: { ...runQueryOf(filter), limit: 100 } }}
      />
      {retried && (
        <RetryRunsDialog
          runs={retried}
          onClose={() => {
            setRetried(undefined);
            setChosen({});
          }}
        />
      )}
    </>
  );
}
