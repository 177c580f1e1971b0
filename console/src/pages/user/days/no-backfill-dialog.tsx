import type { ConnectionResponse } from '@healthd/schemas';
import { Link } from 'react-router';
import { Dialog } from '../../../components/dialog.js';
import { providerName } from '../../../components/provider-name.js';
import { humanize } from '../../../format.js';
import { type Days, daysText, type KindOfData } from './day-states.js';

interface NoBackfillDialogProps {
  item: KindOfData;
  days: Days;
  /** Undefined for data without a connection, such as imports. */
  connection: ConnectionResponse | undefined;
  onClose: () => void;
}

/** Explains why a backfill is not possible, and the alternative. */
export function NoBackfillDialog({ item, days, connection, onClose }: NoBackfillDialogProps) {
  const name = providerName(item.provider);
  return (
    <Dialog title={`${humanize(item.data_type)} from ${name}`} onClose={onClose}>
      <p>No data arrived for {daysText(days)}, although this data type arrives on most days.</p>
      <p>{reason(name, connection)}</p>
      <div className="row end">
        {connection && (
          <Link className="button" to={`/users/${connection.user_id}/connections`}>
            View connections
          </Link>
        )}
        <button type="button" className="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function reason(name: string, connection: ConnectionResponse | undefined): string {
  if (!connection) return `This data did not arrive through a connection. Import a newer export file from ${name}.`;
  if (connection.status !== 'active')
    return 'The connection has ended. The person must reconnect; the service then fetches the history.';
  return `${name} does not provide past days on request. Open the app on the device to send them, or import an export file.`;
}
