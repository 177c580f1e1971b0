import type { ListedConnection } from '@healthd/schemas';
import { Link } from 'react-router';
import { Instant } from '../../components/instant.js';
import { None } from '../../components/none.js';
import { providerName } from '../../components/provider-name.js';
import { TableCard } from '../../components/table-card.js';
import { userName } from '../../format.js';

interface ConnectionsTableProps {
  connections: readonly ListedConnection[];
  empty: string;
  stale: boolean;
}

type End = NonNullable<ListedConnection['status_reason']>;

/** Why a connection is not active; `bad` is what no developer asked for. */
const ENDS: Readonly<Record<End, readonly [look: 'plain' | 'bad', words: string]>> = {
  user_disconnected: ['plain', 'disconnected'],
  push_allowed: ['plain', 'waits for the phone'],
  refresh_failed: ['bad', 'consent taken back'],
  deregistered: ['bad', 'ended by the provider'],
  token_expired: ['bad', 'consent ran out'],
  token_unreadable: ['bad', 'tokens unreadable'],
};

/** Connections of several people, newest first. */
export function ConnectionsTable({ connections, empty, stale }: ConnectionsTableProps) {
  const columns = ['Person', 'Provider', 'State', 'Connected', 'Last synced', 'Failing since', 'Last error'];
  return (
    <TableCard name="Connections" stacked columns={columns} empty={empty} stale={stale}>
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
              {connection.last_error ?? <None />}
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
  if (status !== 'active') {
    const [look, words] = reason ? ENDS[reason] : ['plain', status];
    return <span className={`badge ${look}`}>{words}</span>;
  }
  return failing ? <span className="badge warn">failing</span> : <span className="badge good">active</span>;
}
