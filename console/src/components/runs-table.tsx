import type { SyncRunSummary } from '@healthd/schemas';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount } from '../format.js';
import { runKind } from '../run-kind.js';
import { Instant } from './instant.js';
import { Progress } from './progress.js';
import { RetryingRun } from './retrying.js';
import { StatusBadge } from './status-badge.js';
import { TableCard } from './table-card.js';

interface RunsTableProps {
  runs: readonly SyncRunSummary[];
  /** Where runs of several users are together. */
  withUser: boolean;
  empty: ReactNode;
  stale?: boolean;
}

/** Runs, newest first. */
export function RunsTable({ runs, withUser, empty, stale }: RunsTableProps) {
  const columns = ['Run', 'Status', ...(withUser ? ['User'] : []), 'Kind', '#Items', 'Started', 'Message'];
  return (
    <TableCard name="Runs" columns={columns} empty={empty} stale={stale}>
      {runs.map((run) => (
        <tr key={run.run_id}>
          <td className="mono">
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
          <td>
            {runKind(run.source)} <span className="muted">{run.provider}</span>
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

function WhatHappened({ run }: { run: SyncRunSummary }) {
  if (run.retrying) return <RetryingRun run={run} />;
  if (run.status === 'in_progress') {
    return <Progress value={run.progress ?? 0} name={`Progress of ${run.run_id}`} />;
  }
  return run.error ?? run.message;
}
