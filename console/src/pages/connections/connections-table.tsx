import type { ListedConnection } from '@healthd/schemas';
import { Link } from 'react-router';
import { columnHelper, DataTable } from '../../components/data-table.js';
import { Instant } from '../../components/instant.js';
import { None } from '../../components/none.js';
import { providerName } from '../../components/provider-name.js';
import { userName } from '../../format.js';

interface ConnectionsTableProps {
  connections: readonly ListedConnection[];
  empty: string;
  stale: boolean;
}

type End = NonNullable<ListedConnection['status_reason']>;

/** Reasons for inactive connections. `bad` marks causes outside this service. */
const ENDS: Readonly<Record<End, readonly [look: 'plain' | 'bad', words: string]>> = {
  user_disconnected: ['plain', 'disconnected'],
  push_allowed: ['plain', 'waiting for the phone'],
  refresh_failed: ['bad', 'consent revoked'],
  deregistered: ['bad', 'ended by the provider'],
  token_expired: ['bad', 'consent expired'],
  token_unreadable: ['bad', 'tokens unreadable'],
};

const column = columnHelper<ListedConnection>();
const COLUMNS = column.columns([
  column.accessor('user_id', {
    header: 'User',
    meta: { className: 'name' },
    cell: ({ row: { original: connection } }) => (
      <Link to={`/users/${connection.user_id}/connections`}>{userName({ ...connection, id: connection.user_id })}</Link>
    ),
  }),
  column.accessor('provider', {
    header: 'Provider',
    meta: { className: 'nobreak' },
    cell: ({ getValue }) => providerName(getValue()),
  }),
  column.accessor('status', { header: 'State', cell: ({ row }) => <State connection={row.original} /> }),
  column.accessor('created_at', { header: 'Connected', cell: ({ getValue }) => <Instant at={getValue()} /> }),
  column.accessor('last_synced_at', { header: 'Last synced', cell: ({ getValue }) => <Instant at={getValue()} /> }),
  column.accessor('failing_since', { header: 'Failing since', cell: ({ getValue }) => <Instant at={getValue()} /> }),
  column.accessor('last_error', {
    header: 'Last error',
    meta: { className: 'wide' },
    cell: ({ getValue }) => (
      <div className="clamped" title={getValue() ?? undefined}>
        {getValue() ?? <None />}
      </div>
    ),
  }),
]);

/** Connections of several users, newest first. */
export function ConnectionsTable({ connections, empty, stale }: ConnectionsTableProps) {
  return (
    <DataTable
      name="Connections"
      columns={COLUMNS}
      rows={connections}
      rowId={({ id }) => id}
      empty={empty}
      stale={stale}
    />
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
