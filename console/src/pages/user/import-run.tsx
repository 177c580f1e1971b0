import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '../../components/problem.js';
import { Progress } from '../../components/progress.js';
import { StatusBadge } from '../../components/status-badge.js';
import { formatCount } from '../../format.js';
import { useRun } from '../../hooks/use-runs.js';
import { useRefreshUser } from '../../hooks/use-users.js';
import { DryRunReport } from './dry-run-report.js';

/** Progress of the uploaded import. Refetches the user's data at the end. */
export function ImportRun({ runId, userId, isDryRun }: { runId: string; userId: string; isDryRun: boolean }) {
  const [confirmed, setConfirmed] = useState<string>();
  if (confirmed !== undefined) return <ImportRun runId={confirmed} userId={userId} isDryRun={false} />;
  return <ImportState runId={runId} userId={userId} onConfirmed={isDryRun ? setConfirmed : undefined} />;
}

interface ImportStateProps {
  runId: string;
  userId: string;
  /** For dry runs: called with the run that imports the file. */
  onConfirmed: ((runId: string) => void) | undefined;
}

function ImportState({ runId, userId, onConfirmed }: ImportStateProps) {
  const run = useRun(runId);
  const refreshUser = useRefreshUser();
  const ended = run.data !== undefined && run.data.status !== 'in_progress';
  useEffect(() => {
    if (ended) void refreshUser(userId);
  }, [ended, refreshUser, userId]);
  if (run.error) return <Problem error={run.error} />;
  if (!run.data) return null;
  const { status, progress, items_processed: items, error, message } = run.data;
  return (
    <div className="sending" role="status">
      <div className="row">
        <StatusBadge status={status} />
        <span>{error ?? message ?? 'Queued.'}</span>
        <span className="muted">{formatCount(items)} items</span>
        {ended && <Link to={`/runs/${runId}`}>Report</Link>}
      </div>
      {!ended && <Progress value={progress ?? 0} name="Import" />}
      {ended && onConfirmed && status !== 'failed' && <DryRunReport run={run.data} onConfirmed={onConfirmed} />}
    </div>
  );
}
