import type { ListedConnection } from '@healthd/schemas';
import { Link } from 'react-router';
import { Instant } from '../../components/instant.js';
import { providerName } from '../../components/provider-name.js';
import { TableCard } from '../../components/table-card.js';
import { userName } from '../../format.js';

interface ConnectionsTableProps {
  connections: readonly ListedConnection[];
  empty: string;
  stale: boolean;
}

const ENDS: Readonly<Record<NonNullable<ListedConnection['status_reason']>, string>> = {
  user_disconnected: 'disconnected',
  push_allowed: 'waits for the phone',
  refresh_failed: 'consent taken back',
  deregistered: 'ended by the provider',
  token_expired: 'consent ran out',
  token_unreadable: 'tokens unreadable',
};

/** Connections of several people, newest first. */
export function ConnectionsTable({ connections, empty, stale }: ConnectionsTableProps) {
  const columns = ['Person', 'Provider', 'State', 'Connected', 'Last synced', 'Failing since', 'Last error'];
  return (
    <TableCard name="Connections" columns={columns} empty={empty} stale={stale}>
      {connections.map((connection) => (
        <tr key={connection.id}>
          <td className="name">
            <Link to={`/users/${connection.user_id}/connections`}>
              {userName({ ...connection, id: connection.user_id })}
            </Link>
          </td>
          <td className="nobreak">{providerName(connection.provider)}</td>
          <td>
            <State connection={connection} />
          </td>
          <td>
            <Instant at={connection.created_at} />
          </td>
          <td>
            <Instant at={connection.last_synced_at} />
          </td>
          <td>
            <Instant at={connection.failing_since} />
          </td>
          <td className="wide">
            <div className="clamped" title={connection.last_error ?? undefined}>
              {connection.last_error ?? <span className="muted">–</span>}
            </div>
          </td>
        </tr>
      ))}
    </TableCard>
  );
}

function State({
  connection: { status, status_reason: reason, failing_since: failing },
}: {
  connection: ListedConnection;
}) {
  if (status !== 'active') return <span className="badge plain">{reason ? ENDS[reason] : status}</span>;
  return failing ? <span className="badge warn">failing</span> : <span className="badge good">active</span>;
}
