import type { UserResponse } from '@healthd/schemas';
import { Link } from 'react-router';
import { Instant } from '../../components/instant.js';
import { None } from '../../components/none.js';
import { providerName } from '../../components/provider-name.js';
import { TableCard } from '../../components/table-card.js';
import { userName } from '../../format.js';

interface UsersTableProps {
  users: readonly UserResponse[];
  search: string;
  /** By more than a search. */
  isNarrowed: boolean;
  stale: boolean;
}

export function UsersTable({ users, search, isNarrowed, stale }: UsersTableProps) {
  const columns = ['Name', 'Email', 'Id', 'Last synced', 'Created'];
  return (
    <TableCard
      name="Users"
      stacked
      columns={columns}
      empty={isNarrowed ? 'No user is like that.' : search ? <>No user matches “{search}”.</> : <NoUsers />}
      stale={stale}
    >
      {users.map((user) => (
        <tr key={user.id}>
          <td className="name">
            <Link to={`/users/${user.id}`}>{userName(user)}</Link>
          </td>
          <td className="name">{user.email ?? <None />}</td>
          <td className="mono long">{user.id}</td>
          <td className="nobreak">
            <Instant at={user.last_synced_at} />{' '}
            {user.last_synced_provider && <span className="muted">{providerName(user.last_synced_provider)}</span>}
          </td>
          <td>
            <Instant at={user.created_at} />
          </td>
        </tr>
      ))}
    </TableCard>
  );
}

function NoUsers() {
  return (
    <>
      No users yet. An application creates one for each of its own users; to look around with made-up data:
      <br />
      <code>npm run demo</code>
    </>
  );
}
