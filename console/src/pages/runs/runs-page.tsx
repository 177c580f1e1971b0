import { SYNC_STATUSES } from '@healthd/contract';
import { useSearchParams } from 'react-router';
import { Command } from '../../components/command.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { RunsTable } from '../../components/runs-table.js';
import { RUNS_SHOWN, type RunFilter, useRuns } from '../../hooks/use-runs.js';
import { usePageTitle } from '../../page-title.js';

/** `retrying`: of those in progress, the ones that wait for another attempt. */
const CHOICES = ['retrying', ...SYNC_STATUSES] as const;
type Choice = (typeof CHOICES)[number];

function filterOf(choice: Choice | undefined): RunFilter {
  return choice === 'retrying' ? { retrying: true } : { status: choice };
}

/** The same for the command line. */
function optionOf(choice: Choice | undefined): string {
  if (choice === undefined) return '';
  return choice === 'retrying' ? ' --retrying' : ` --status ${choice}`;
}

export function RunsPage() {
  const [filters, setFilters] = useSearchParams();
  const status = CHOICES.find((known) => known === filters.get('status'));
  usePageTitle('Runs');
  const runs = useRuns(filterOf(status));
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
          <option value="">All statuses</option>
          {CHOICES.map((word) => (
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
      {runs.data?.length === RUNS_SHOWN && <p className="muted">The newest {RUNS_SHOWN} runs.</p>}
      <Command line={`healthctl runs list${optionOf(status)}`} />
    </>
  );
}
