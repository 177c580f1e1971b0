import type { SyncRunSummary } from '@healthd/schemas';
import { NextTry } from './next-try.js';

/** Shows `Attempt 2 of 5 · next 14:32 (in 3 min)` and the reason for a waiting run. Tables truncate the reason. */
export function RetryingRun({ run }: { run: Pick<SyncRunSummary, 'retrying' | 'message'> }) {
  if (!run.retrying) return null;
  const { attempt, max_attempts: most, next_try_at: at, reason } = run.retrying;
  return (
    <>
      <span className="nobreak">
        Attempt {attempt}
        {most !== null && ` of ${most}`}
      </span>{' '}
      ·{' '}
      <span className="nobreak">
        next <NextTry at={at} />
      </span>
      <div className="muted reason" title={run.message ?? reason}>
        {run.message ?? reason}
      </div>
    </>
  );
}
