import { listConnections } from '@healthd/contract';
import type { ConnectionResponse } from '@healthd/schemas';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { Commands } from '../../components/commands.js';
import { Instant } from '../../components/instant.js';
import { loadDialog } from '../../components/load-dialog.js';
import { Loading } from '../../components/loading.js';
import { NextTry } from '../../components/next-try.js';
import { None } from '../../components/none.js';
import { Problem } from '../../components/problem.js';
import { ProviderName, providerName } from '../../components/provider-name.js';
import { TableCard } from '../../components/table-card.js';
import { formatInstant } from '../../format.js';
import { useConnections } from '../../hooks/use-connections.js';
import { useDiagnosis } from '../../hooks/use-diagnosis.js';
import { ConnectPanel } from './connect-panel.js';
import { ConnectionState } from './connection-state.js';
import { OpenLinks } from './links/open-links.js';
import { SyncNow } from './sync-now.js';

const BackfillDialog = loadDialog(async () => (await import('./backfill-dialog.js')).BackfillDialog);
const DisconnectDialog = loadDialog(async () => (await import('./disconnect-dialog.js')).DisconnectDialog);
const LinkDialog = loadDialog(async () => (await import('./links/link-dialog.js')).LinkDialog);

const COLUMNS = ['Provider', 'State', 'Account', 'Not granted', 'Last synced', 'Actions'];
type Action = { kind: 'link' } | { kind: 'end' | 'backfill'; connection: ConnectionResponse };

export function ConnectionsTab({ userId }: { userId: string }) {
  const [waiting, setWaiting] = useState(false);
  const [action, setAction] = useState<Action>();
  const connections = useConnections(userId, waiting);
  const verdicts = useDiagnosis(userId).data?.providers ?? [];
  const nextSyncs = new Map(verdicts.map(({ provider, next_try_at }) => [provider, next_try_at]));
  const close = () => setAction(undefined);
  return (
    <>
      <div className="row spread">
        <h2>Connections</h2>
        <button type="button" className="primary" onClick={() => setAction({ kind: 'link' })}>
          <Send className="icon" aria-hidden="true" /> Send link to connect
        </button>
      </div>
      {connections.error && <Problem error={connections.error} retry={connections.refetch} />}
      {connections.isPending && <Loading />}
      {connections.data && (
        <TableCard name="Connections" stacked columns={COLUMNS} empty="This user is not connected to any provider.">
          {connections.data.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              nextSync={nextSyncs.get(connection.provider) ?? connection.next_try_at ?? undefined}
              onAction={setAction}
            />
          ))}
        </TableCard>
      )}
      <OpenLinks userId={userId} />
      <ConnectPanel userId={userId} onStarted={() => setWaiting(true)} />
      <Commands
        healthctl={`healthctl connections list --user ${userId}`}
        route={listConnections}
        input={{ params: { user_id: userId } }}
      />
      {action?.kind === 'end' && <DisconnectDialog connection={action.connection} onClose={close} />}
      {action?.kind === 'backfill' && <BackfillDialog connection={action.connection} onClose={close} />}
      {action?.kind === 'link' && <LinkDialog userId={userId} onClose={close} />}
    </>
  );
}

interface ConnectionRowProps {
  connection: ConnectionResponse;
  /** Next poll time; undefined if unknown. */
  nextSync: string | undefined;
  onAction: (action: Action) => void;
}

/** Describes how new data arrives over a connection. */
function modeOf({ live_sync_mode: mode, has_authorization, rest_pull }: ConnectionResponse): string {
  if (mode === 'webhook') return 'notified';
  if (mode === 'pull' || (has_authorization && rest_pull)) return 'polled';
  return 'pushed';
}

function ConnectionRow({ connection, nextSync, onAction }: ConnectionRowProps) {
  const { provider, icon_url: icon, provider_username: account, provider_user_id: id } = connection;
  const missing = connection.missing_data_types;
  const active = connection.status === 'active';
  const name = providerName(provider);
  return (
    <tr>
      <td className="name">
        <ProviderName provider={provider} icon={icon} />
        <div className="muted nobreak">
          {modeOf(connection)} since {formatInstant(connection.created_at).slice(0, 10)}
        </div>
      </td>
      <td className={connection.last_error === null ? undefined : 'wide'}>
        <ConnectionState connection={connection} />
      </td>
      <td className="source short" title={[account, id].filter(Boolean).join('\n')}>
        {account ?? id ?? <None />}
      </td>
      <td className={missing.length > 0 ? 'wide' : undefined} title={connection.missing_scopes.join('\n')}>
        {missing.length > 0 ? missing.join(', ') : <None />}
      </td>
      <td>
        <Instant at={connection.last_synced_at} />
        {nextSync && (
          <div className="muted nobreak">
            next <NextTry at={nextSync} />
          </div>
        )}
      </td>
      <td>
        <div className="actions">
          {active && connection.rest_pull && connection.has_authorization && (
            <>
              <SyncNow userId={connection.user_id} provider={provider} />
              <button
                type="button"
                onClick={() => onAction({ kind: 'backfill', connection })}
                aria-label={`Backfill ${name}`}
              >
                Backfill…
              </button>
            </>
          )}
          <button
            type="button"
            onClick={() => onAction({ kind: 'end', connection })}
            aria-label={active ? `Disconnect ${name}` : `Delete data from ${name}`}
          >
            {active ? 'Disconnect…' : 'Delete data…'}
          </button>
        </div>
      </td>
    </tr>
  );
}
