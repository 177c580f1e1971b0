import { MS_PER_DAY } from '@healthd/model';
import type { ConnectionResponse } from '@healthd/schemas';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { providerName } from '../../components/provider-name.js';
import { formatInstant } from '../../format.js';
import { useBackfill } from '../../hooks/use-sync.js';
import { backfillDays } from './backfill-days.js';

/** The service reads so many days at most. */
const MOST_DAYS = 90;

interface BackfillDialogProps {
  connection: ConnectionResponse;
  /** A missing day, `YYYY-MM-DD`, back to which the backfill should reach. */
  from?: string;
  onClose: () => void;
}

/** Reads the past of a connection again, and says which days that are before it begins. */
export function BackfillDialog({ connection, from, onClose }: BackfillDialogProps) {
  const most = Math.min(MOST_DAYS, connection.max_historical_days ?? MOST_DAYS);
  const wanted = backfillDays(from, most);
  const [days, setDays] = useState(wanted.days);
  const backfill = useBackfill({ userId: connection.user_id, provider: connection.provider });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    backfill.mutate(days);
  };
  return (
    <Dialog title={`Backfill ${providerName(connection.provider)}`} onClose={onClose}>
      {backfill.data ? (
        <div className="new-link">
          <p role="status">
            {backfill.data.message} <Link to={`/runs/${backfill.data.run_id}`}>Follow the run</Link>
          </p>
          <div className="row end">
            <button type="button" className="primary" onClick={onClose}>
              Done
            </button>
          </div>
        </div>
      ) : (
        <form onSubmit={submit}>
          <label>
            Days back, {most} at most
            <input
              type="number"
              min={1}
              max={most}
              required
              value={days}
              onChange={({ target }) => setDays(target.valueAsNumber)}
            />
          </label>
          <p className="muted">
            {days >= 1 && days <= most && `Reads ${reachText(days)} to now on your clock, the newest days first. `}What
            is stored already is not stored twice.
          </p>
          {wanted.reach !== 'whole' && (
            <p className="muted">
              {from} is further back than {providerName(connection.provider)} can be read
              {wanted.reach === 'part' && ', or partly so'}.
            </p>
          )}
          {backfill.error && <Problem error={backfill.error} />}
          <div className="row end">
            <button type="button" onClick={onClose}>
              Cancel
            </button>
            <button type="submit" className="primary" disabled={backfill.isPending}>
              Start the backfill
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** When the stretch begins that the service reads: so many times 24 hours before now, on the clock of the reader. */
function reachText(days: number): string {
  return formatInstant(new Date(Date.now() - days * MS_PER_DAY).toISOString());
}
