import { Link } from 'react-router';
import { usePeriod } from '../../period.js';

/** Empty state of a period. */
export function NothingInPeriod({ what, userId }: { what: string; userId: string }) {
  const days = usePeriod();
  return (
    <div className="card empty">
      No {what} in the last {days} days. <Link to={`/users/${userId}/data`}>View the stored data</Link> or{' '}
      <Link to={`/users/${userId}/runs`}>import an export file</Link>.
    </div>
  );
}
