import type { SyncRunSummary } from '@healthd/schemas';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount } from '../format.js';
import { runKind } from '../run-kind.js';
import { Instant } from './instant.js';
import { Progress } from './progress.js';
import { providerName } from './provider-name.js';
import { RetryingRun } from './retrying.js';
import { StatusBadge } from './status-badge.js';
import { TableCard } from './table-card.js';

interface RunsTableProps {
  runs: readonly SyncRunSummary[];
  /** Where runs of several users are together. */
  withUser: boolean;
  empty: ReactNode;
  stale?: boolean;
  /** Where runs can be chosen to be repeated. */
  selection?: RunSelection;
}

/** Ids of the runs that are chosen. */
interface RunSelection {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** Runs, newest first. */
export function RunsTable({ runs, withUser, empty, stale, selection }: RunsTableProps) {
  const columns = ['Run', 'Status', ...(withUser ? ['User'] : []), 'Kind', '#Items', 'Started', 'Message'];
  return (
    <TableCard name="Runs" stacked columns={columns} empty={empty} stale={stale}>
      {runs.map((run) => (
        <tr key={run.run_id}>
          <td className="mono">
            {selection && <Choice run={run} selection={selection} />}
            <Link to={`/runs/${run.run_id}`}>{run.run_id}</Link>
          </td>
          <td>
            <StatusBadge status={run.status} waiting={run.retrying ? 'retrying' : undefined} />
          </td>
          {withUser && (
            <td className="mono">
              <Link to={`/users/${run.user_id}/runs`} title={run.user_id}>
                {run.user_id.slice(0, 8)}
              </Link>
            </td>
          )}
          <td className="nobreak">
            {runKind(run.source)} <span className="muted">{providerName(run.provider)}</span>
          </td>
          <td className="number">{formatCount(run.items_processed)}</td>
          <td>
            <Instant at={run.started_at ?? run.last_update} />
          </td>
          <td className="wide">
            <WhatHappened run={run} />
          </td>
        </tr>
      ))}
    </TableCard>
  );
}

/** Only what failed or stored a part can be repeated; the box of any other run keeps its place. */
function Choice({ run, selection: { chosen, onChange } }: { run: SyncRunSummary; selection: RunSelection }) {
  const toggle = (isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(run.run_id);
    else next.delete(run.run_id);
    onChange(next);
  };
  return (
    <input
      type="checkbox"
      className="choose"
      aria-label={`Choose ${run.run_id}`}
      disabled={run.status !== 'failed' && run.status !== 'partial'}
      checked={chosen.has(run.run_id)}
      onChange={({ target }) => toggle(target.checked)}
    />
  );
}

function WhatHappened({ run }: { run: SyncRunSummary }) {
  if (run.retrying) return <RetryingRun run={run} />;
  if (run.status === 'in_progress') {
    return (
      <div className="stage">
        <Progress value={run.progress ?? 0} name={`Progress of ${run.run_id}`} />
        <span className="muted">{run.stage}</span>
      </div>
    );
  }
  const message = run.error ?? run.message;
  return (
    <div className="clamped" title={message ?? undefined}>
      {message}
    </div>
  );
}
