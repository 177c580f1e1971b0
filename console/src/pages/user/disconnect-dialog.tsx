import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { ConnectionResponse } from '@healthd/schemas';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { useDisconnect } from '../../hooks/use-connections.js';

/** Says what ends and what is lost; deleting the data is a choice of its own. */
export function DisconnectDialog({ connection, onClose }: { connection: ConnectionResponse; onClose: () => void }) {
  const name = PROVIDER_NAMES[connection.provider as ProviderId];
  const isActive = connection.status === 'active';
  const [withData, setWithData] = useState(!isActive);
  const end = useDisconnect(connection, onClose);
  return (
    <Dialog title={isActive ? `Disconnect ${name}?` : `Delete data from ${name}?`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          end.mutate({ withData });
        }}
      >
        {isActive && (
          <p>
            The consent ends here and at the provider; nothing more is fetched, and phones that push for it are refused.
            Connecting again needs a new consent, or new credentials for the device.
          </p>
        )}
        <label className="check">
          <input type="checkbox" checked={withData} onChange={(event) => setWithData(event.target.checked)} />
          <span>Delete everything that came from {name}. It cannot be undone.</span>
        </label>
        {end.error && <Problem error={end.error} />}
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="danger solid" disabled={end.isPending || (!isActive && !withData)}>
            {withData ? 'Delete data' : 'Disconnect'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
