import { deleteProviderData, disconnectProvider } from '@healthd/contract';
import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { ConnectionResponse } from '@healthd/schemas';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { client } from '../../session.js';

/** Says what ends and what is lost; deleting the data is a choice of its own. */
export function DisconnectDialog({ connection, onClose }: { connection: ConnectionResponse; onClose: () => void }) {
  const provider = connection.provider as ProviderId;
  const name = PROVIDER_NAMES[provider];
  const isActive = connection.status === 'active';
  const [withData, setWithData] = useState(!isActive);
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () =>
      client.call(withData ? deleteProviderData : disconnectProvider, {
        params: { user_id: connection.user_id, provider },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(connection.user_id) });
      onClose();
    },
  });
  return (
    <Dialog title={isActive ? `Disconnect ${name}?` : `Delete data of ${name}?`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          end.mutate();
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
