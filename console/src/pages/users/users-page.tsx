import { createUser, listUsers } from '@healthd/api';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { Problem } from '../../components/problem.js';
import { formatInstant, userName } from '../../format.js';
import { client } from '../../session.js';

export function UsersPage() {
  const [filters, setFilters] = useSearchParams();
  const search = filters.get('search') ?? '';
  const page = filters.get('page') ?? '1';
  const navigate = useNavigate();
  const users = useQuery({
    queryKey: ['users', search, page],
    queryFn: ({ signal }) =>
      client.call(listUsers, { query: { search: search || undefined, page, limit: '50' }, signal }),
    placeholderData: keepPreviousData,
  });
  const create = useMutation({
    mutationFn: () => client.call(createUser, { body: {} }),
    onSuccess: (user) => navigate(`/users/${user.id}`),
  });
  const show = (values: Record<string, string>) =>
    setFilters(Object.fromEntries(Object.entries(values).filter(([, value]) => value)), { replace: true });

  return (
    <>
      <div className="row spread">
        <h1>Users {users.data && <span className="muted">{users.data.total.toLocaleString('en-US')}</span>}</h1>
        <div className="row">
          <input
            type="search"
            placeholder="Name or email"
            aria-label="Search users"
            defaultValue={search}
            onChange={(event) => show({ search: event.target.value })}
          />
          <button type="button" className="primary" onClick={() => create.mutate()} disabled={create.isPending}>
            New user
          </button>
        </div>
      </div>
      {users.error && <Problem error={users.error} />}
      {create.error && <Problem error={create.error} />}
      <div className="card scroll">
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th>Email</th>
              <th>Id</th>
              <th>Last data</th>
              <th>Created</th>
            </tr>
          </thead>
          <tbody>
            {users.data?.items.map((user) => (
              <tr key={user.id}>
                <td>
                  <Link to={`/users/${user.id}`}>{userName(user)}</Link>
                </td>
                <td>{user.email ?? <span className="muted">–</span>}</td>
                <td className="mono">{user.id}</td>
                <td>
                  {formatInstant(user.last_synced_at)}{' '}
                  {user.last_synced_provider && <span className="muted">{user.last_synced_provider}</span>}
                </td>
                <td>{formatInstant(user.created_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {users.data?.items.length === 0 && (
          <div className="empty">
            {search ? (
              `Nobody matches "${search}".`
            ) : (
              <>
                No users yet. An application creates one for each of its own users; to look around with made-up data:
                <br />
                <code>npm run demo</code>
              </>
            )}
          </div>
        )}
      </div>
      {users.data && users.data.pages > 1 && (
        <div className="row">
          <button
            type="button"
            disabled={!users.data.has_prev}
            onClick={() => show({ search, page: String(Number(page) - 1) })}
          >
            Previous
          </button>
          <span className="muted">
            Page {users.data.page} of {users.data.pages}
          </span>
          <button
            type="button"
            disabled={!users.data.has_next}
            onClick={() => show({ search, page: String(Number(page) + 1) })}
          >
            Next
          </button>
        </div>
      )}
    </>
  );
}
