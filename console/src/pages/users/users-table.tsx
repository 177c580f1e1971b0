import type { UserResponse } from '@healthd/schemas';
import { Link } from 'react-router';
import { columnHelper, DataTable, type RowOrder } from '../../components/data-table.js';
import { Instant } from '../../components/instant.js';
import { None } from '../../components/none.js';
import { providerName } from '../../components/provider-name.js';
import { userName } from '../../format.js';

interface UsersTableProps {
  users: readonly UserResponse[];
  search: string;
  /** True if filters other than the search apply. */
  isNarrowed: boolean;
  stale: boolean;
  order: RowOrder;
  onOrder: (order: RowOrder) => void;
}

const column = columnHelper<UserResponse>();
const COLUMNS = column.columns([
  column.accessor('first_name', {
    header: 'Name',
    enableSorting: true,
    sortDescFirst: false,
    meta: { className: 'name' },
    cell: ({ row: { original: user } }) => <Link to={`/users/${user.id}`}>{userName(user)}</Link>,
  }),
  column.accessor('email', {
    header: 'Email',
    enableSorting: true,
    sortDescFirst: false,
    meta: { className: 'name' },
    cell: ({ getValue }) => getValue() ?? <None />,
  }),
  column.accessor('id', { header: 'Id', meta: { className: 'mono long' } }),
  column.accessor('last_synced_at', {
    header: 'Last synced',
    enableSorting: true,
    sortDescFirst: true,
    meta: { className: 'nobreak' },
    cell: ({ row: { original: user } }) => (
      <>
        <Instant at={user.last_synced_at} />{' '}
        {user.last_synced_provider && <span className="muted">{providerName(user.last_synced_provider)}</span>}
      </>
    ),
  }),
  column.accessor('created_at', {
    header: 'Created',
    enableSorting: true,
    sortDescFirst: true,
    cell: ({ getValue }) => <Instant at={getValue()} />,
  }),
]);

export function UsersTable({ users, search, isNarrowed, stale, order, onOrder }: UsersTableProps) {
  return (
    <DataTable
      name="Users"
      columns={COLUMNS}
      rows={users}
      rowId={({ id }) => id}
      empty={isNarrowed ? 'No users match these filters.' : search ? <>No users match “{search}”.</> : <NoUsers />}
      stale={stale}
      order={{ now: order, onChange: onOrder }}
    />
  );
}

function NoUsers() {
  return (
    <>
      No users yet. Create a user, or start the demo to look around with simulated data:
      <br />
      <code>npm run demo</code>
    </>
  );
}
