import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { Command } from '../../components/command.js';
import { Loading } from '../../components/loading.js';
import { Pager } from '../../components/pager.js';
import { Problem } from '../../components/problem.js';
import { SearchBox } from '../../components/search-box.js';
import { formatCount } from '../../format.js';
import { useUsers } from '../../hooks/use-users.js';
import { usePageTitle } from '../../page-title.js';
import { NewUserDialog } from './new-user-dialog.js';
import { UsersTable } from './users-table.js';

export function UsersPage() {
  const [filters, setFilters] = useSearchParams();
  const [creating, setCreating] = useState(false);
  const { state } = useLocation() as { state: { notice?: string } | null };
  const search = filters.get('search') ?? '';
  const page = filters.get('page') ?? 1;
  usePageTitle(search && `“${search}”`, 'Users');
  const users = useUsers(search, page);
  // A search replaces the one before it in the history; a page is a step of its own.
  const find = (text: string) => setFilters(text ? { search: text } : {}, { replace: true });
  const turn = (to: number) =>
    setFilters({ ...(search && { search }), ...(to > 1 && { page: String(to) }) }, { replace: false });

  return (
    <>
      <div className="row spread">
        <h1>Users {users.data && <span className="muted">{formatCount(users.data.total)}</span>}</h1>
        <div className="row">
          <SearchBox label="Search by name, email or id" value={search} onSearch={find} />
          <button type="button" className="primary" onClick={() => setCreating(true)}>
            New user
          </button>
        </div>
      </div>
      {state?.notice && (
        <div className="notice" role="status">
          {state.notice}
        </div>
      )}
      {users.error && <Problem error={users.error} retry={users.refetch} />}
      {users.isPending && <Loading />}
      {users.data && (
        <>
          <UsersTable users={users.data.items} search={search} stale={users.isPlaceholderData} />
          <Pager page={users.data.page} pages={users.data.pages} onPage={turn} />
          <Command line={`healthctl users list${search ? ` --search ${quoted(search)}` : ''}`} />
        </>
      )}
      {creating && <NewUserDialog onClose={() => setCreating(false)} />}
    </>
  );
}

/** A word as a shell takes it literally. */
function quoted(text: string): string {
  return /^[\w@.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
