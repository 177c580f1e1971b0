import { MS_PER_DAY } from '@healthd/model';
import type { ConnectionResponse } from '@healthd/schemas';
import { useForm, useWatch } from 'react-hook-form';
import { Link } from 'react-router';
import { Dialog } from '../../components/dialog.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { FormField } from '../../components/form/form-field.js';
import { providerName } from '../../components/provider-name.js';
import { formatInstant } from '../../format.js';
import { useBackfill } from '../../hooks/use-sync.js';
import { backfillDays } from './backfill-days.js';

/** Maximum number of days of a backfill. */
const MOST_DAYS = 90;

interface BackfillDialogProps {
  connection: ConnectionResponse;
  /** Missing day (`YYYY-MM-DD`) that the backfill should cover. */
  from?: string;
  onClose: () => void;
}

/** Starts a backfill of a connection and shows its range first. */
export function BackfillDialog({ connection, from, onClose }: BackfillDialogProps) {
  const most = Math.min(MOST_DAYS, connection.max_historical_days ?? MOST_DAYS);
  const requestedDays = backfillDays(from, most);
  const form = useForm({ defaultValues: { days: requestedDays.days } });
  const days = useWatch({ control: form.control, name: 'days' });
  const backfill = useBackfill({ userId: connection.user_id, provider: connection.provider });
  const isPossible = (count: number) => Number.isInteger(count) && count >= 1 && count <= most;
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
        <DialogForm
          form={form}
          onSubmit={(values) => backfill.mutateAsync(values.days)}
          error={backfill.error}
          action="Start backfill"
          onClose={onClose}
        >
          <FormField
            form={form}
            name="days"
            label={`Days back, at most ${most}`}
            rules={{
              valueAsNumber: true,
              validate: (count) => isPossible(count) || `Enter a whole number of days, from 1 to ${most}.`,
            }}
          >
            {(control) => <input {...control} type="number" min={1} max={most} />}
          </FormField>
          <p className="muted">
            {isPossible(days) && `Reads ${backfillStartText(days)} to now on your clock, the newest days first. `}The
            service does not store data twice.
          </p>
          {requestedDays.reach !== 'whole' && (
            <p className="muted">
              {providerName(connection.provider)}{' '}
              {requestedDays.reach === 'part' ? 'provides only part of the data' : 'does not provide data'} back to{' '}
              {from}.
            </p>
          )}
        </DialogForm>
      )}
    </Dialog>
  );
}

/** Formats the start of a backfill in the reader's time zone: `days` times 24 hours ago. */
function backfillStartText(days: number): string {
  return formatInstant(new Date(Date.now() - days * MS_PER_DAY).toISOString());
}
