import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { ConnectionResponse } from '@healthd/schemas';
import { useState } from 'react';
import { Command } from '../../components/command.js';
import { Instant } from '../../components/instant.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { ProviderName } from '../../components/provider-name.js';
import { TableCard } from '../../components/table-card.js';
import { useConnections } from '../../hooks/use-connections.js';
import { ConnectPanel } from './connect-panel.js';
import { ConnectionState } from './connection-state.js';
import { DisconnectDialog } from './disconnect-dialog.js';

const COLUMNS = ['Provider', 'State', 'Account', 'Not granted', 'Last synced', ''];

export function ConnectionsTab({ userId }: { userId: string }) {
  const [waiting, setWaiting] = useState(false);
  const [ending, setEnding] = useState<ConnectionResponse>();
  const connections = useConnections(userId, waiting);
  return (
    <>
      <ConnectPanel userId={userId} onBegun={() => setWaiting(true)} />
      {connections.error && <Problem error={connections.error} retry={connections.refetch} />}
      {connections.isPending && <Loading />}
      {connections.data && (
        <TableCard name="Connections" columns={COLUMNS} empty="This user is not connected to any provider.">
          {connections.data.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} onEnd={() => setEnding(connection)} />
          ))}
        </TableCard>
      )}
      <Command line={`healthctl connections list --user ${userId}`} />
      {ending && <DisconnectDialog connection={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function ConnectionRow({ connection, onEnd }: { connection: ConnectionResponse; onEnd: () => void }) {
  const { provider, icon_url: icon, provider_username: name, provider_user_id: id } = connection;
  const missing = connection.missing_data_types;
  const active = connection.status === 'active';
  const providerName = PROVIDER_NAMES[provider as ProviderId];
  return (
    <tr>
      <td className="name">
        <ProviderName provider={provider} icon={icon} />
      </td>
      <td className={connection.last_error === null ? undefined : 'wide'}>
        <ConnectionState connection={connection} />
      </td>
      <td title={id ?? undefined}>{name ?? id ?? <span className="muted">–</span>}</td>
      <td className="wide" title={connection.missing_scopes.join('\n')}>
        {missing.length > 0 ? missing.join(', ') : <span className="muted">–</span>}
      </td>
      <td>
        <Instant at={connection.last_synced_at} />
      </td>
      <td>
        <button
          type="button"
          onClick={onEnd}
          aria-label={active ? `Disconnect ${providerName}` : `Delete data from ${providerName}`}
        >
          {active ? 'Disconnect…' : 'Delete data…'}
        </button>
      </td>
    </tr>
  );
}
