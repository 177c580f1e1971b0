import type { SyncRunSummary } from '@healthd/api';
import { Link } from 'react-router';
import { formatCount, formatInstant } from '../format.js';
import { StatusBadge } from './status-badge.js';

/** Runs, newest first; with the user's column where runs of several users stand together. */
export function RunsTable({ runs, withUser }: { runs: readonly SyncRunSummary[]; withUser: boolean }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Status</th>
          <th>Run</th>
          {withUser && <th>User</th>}
          <th>Provider</th>
          <th>Source</th>
          <th className="number">Items</th>
          <th>Started</th>
          <th>What happened</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.run_id}>
            <td>
              <StatusBadge status={run.status} />
            </td>
            <td className="mono">{run.run_id}</td>
            {withUser && (
              <td className="mono">
                <Link to={`/users/${run.user_id}/runs`}>{run.user_id.slice(0, 8)}</Link>
              </td>
            )}
            <td>{run.provider}</td>
            <td>{run.source.replaceAll('_', ' ')}</td>
            <td className="number">{formatCount(run.items_processed)}</td>
            <td>{formatInstant(run.started_at ?? run.last_update)}</td>
            <td>
              {run.status === 'in_progress' ? (
                <div className="bar" role="progressbar" aria-valuenow={Math.round((run.progress ?? 0) * 100)}>
                  <i style={{ width: `${(run.progress ?? 0) * 100}%` }} />
                </div>
              ) : (
                (run.error ?? run.message ?? '')
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
