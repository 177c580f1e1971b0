import { getSyncRun } from '@healthd/contract';
import type { SyncRun } from '@healthd/schemas';
import { Link, useNavigate, useParams } from 'react-router';
import { Commands } from '../../components/commands.js';
import { Instant } from '../../components/instant.js';
import { Loading } from '../../components/loading.js';
import { None } from '../../components/none.js';
import { Problem } from '../../components/problem.js';
import { Progress } from '../../components/progress.js';
import { providerName } from '../../components/provider-name.js';
import { RetryingRun } from '../../components/retrying.js';
import { StatusBadge } from '../../components/status-badge.js';
import { TableCard } from '../../components/table-card.js';
import { formatBytes, formatCount, userName } from '../../format.js';
import { useRetryRun, useRun } from '../../hooks/use-runs.js';
import { useUser } from '../../hooks/use-users.js';
import { usePageTitle } from '../../page-title.js';
import { runKind } from '../../run-kind.js';
import { type DataTypeState, dataTypesOf } from './data-types.js';
import { ReportTables } from './report-tables.js';
import { type RunReport, reportOf } from './run-report.js';

const COLUMNS = ['Data type', 'State', '#New', '#Updated', '#Deleted', '#Rejected', 'Error'];

/** State of a sync's data types; hidden for other runs. */
function DataTypesTable({ dataTypes }: { dataTypes: readonly DataTypeState[] }) {
  if (dataTypes.length === 0) return null;
  return (
    <TableCard name="Data types" heading columns={COLUMNS}>
      {dataTypes.map(({ id, status, waiting, inserted, updated, deleted, rejected, error }) => (
        <tr key={id}>
          <td className="mono">{id}</td>
          <td>
            <StatusBadge status={status} waiting={waiting} />
          </td>
          <td className="number">{formatCount(inserted)}</td>
          <td className="number">{formatCount(updated)}</td>
          <td className="number">{formatCount(deleted)}</td>
          <td className="number">{formatCount(rejected)}</td>
          <td className="mono">{error ?? <None />}</td>
        </tr>
      ))}
    </TableCard>
  );
}

export function RunPage() {
  const { runId = '' } = useParams();
  const run = useRun(runId);
  usePageTitle(runId, 'Runs');
  if (run.error) return <Problem error={run.error} retry={run.refetch} />;
  if (!run.data) return <Loading />;
  const report = reportOf(run.data);
  return (
    <>
      <div className="row">
        <h1 className="mono-title">{run.data.run_id}</h1>
        <StatusBadge status={run.data.status} waiting={run.data.retrying ? 'retrying' : undefined} />
      </div>
      {run.data.error ? (
        <div className="problem">
          <b>{run.data.error}</b>
        </div>
      ) : (
        <Message run={run.data} />
      )}
      {run.data.status === 'in_progress' && <Progress value={run.data.progress ?? 0} name="Progress of the run" />}
      <RetryRun key={run.data.run_id} run={run.data} />
      <Facts run={run.data} report={report} />
      <DataTypesTable dataTypes={dataTypesOf(run.data)} />
      <ReportTables report={report} />
      <details className="card">
        <summary>Run as JSON</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
        <pre tabIndex={0}>{JSON.stringify(run.data, null, 2)}</pre>
      </details>
      <Commands
        healthctl={`healthctl runs watch ${run.data.run_id}`}
        route={getSyncRun}
        input={{ params: { run_id: runId } }}
      />
    </>
  );
}

function Message({ run }: { run: SyncRun }) {
  if (run.retrying) {
    return (
      <div className="message">
        <RetryingRun run={run} />
      </div>
    );
  }
  return run.message && <p className="message">{run.message}</p>;
}

function Facts({ run, report }: { run: SyncRun; report: RunReport }) {
  const user = useUser(run.user_id);
  return (
    <dl className="card facts">
      <Fact name="User">
        <Link to={`/users/${run.user_id}/runs`}>{user.data ? userName(user.data) : run.user_id.slice(0, 8)}</Link>
      </Fact>
      <Fact name="Type">
        {runKind(run.source)} <span className="muted">{providerName(run.provider)}</span>
      </Fact>
      {report.retryOf && (
        <Fact name="Retry of">
          <Link to={`/runs/${report.retryOf}`}>{report.retryOf}</Link>
        </Fact>
      )}
      {report.filename && <Fact name="File">{report.filename}</Fact>}
      {report.bytes !== undefined && <Fact name="Size">{formatBytes(report.bytes)}</Fact>}
      <Fact name="Started">
        <Instant at={run.started_at} />
      </Fact>
      <Fact name="Ended">
        <Instant at={run.ended_at} />
      </Fact>
      <Fact name="Items">{formatCount(run.items_processed)}</Fact>
      {report.recordsPerSecond !== undefined && (
        <Fact name="Items per second">{formatCount(report.recordsPerSecond)}</Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Retries a failed or partial run and opens the new run. */
function RetryRun({ run }: { run: SyncRun }) {
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
