import { listUsers, USER_CONNECTION_STATES, USER_SORT_COLUMNS } from '@healthd/contract';
import { isProviderId } from '@healthd/model';
import { useState } from 'react';
import { Commands } from '../../components/commands.js';
import { CsvButton } from '../../components/csv-button.js';
import type { RowOrder } from '../../components/data-table.js';
import { FilterSelect, filterValue } from '../../components/filter-select.js';
import { loadDialog } from '../../components/load-dialog.js';
import { Loading } from '../../components/loading.js';
import { Pager } from '../../components/pager.js';
import { Problem } from '../../components/problem.js';
import { ProviderFilter } from '../../components/provider-filter.js';
import { SearchBox } from '../../components/search-box.js';
import { formatCount, humanize } from '../../format.js';
import { useFilters } from '../../hooks/use-filters.js';
import { readUsers, type UserFilter, useUsers } from '../../hooks/use-users.js';
import { usePageTitle } from '../../page-title.js';
import { quoted } from '../../shell-command.js';
import { UsersTable } from './users-table.js';

const NewUserDialog = loadDialog(async () => (await import('./new-user-dialog.js')).NewUserDialog);

const STATES = USER_CONNECTION_STATES.map(
  (state) => [state, state === 'none' ? 'Not connected' : `Connection ${state}`] as const,
);
const SORTS = USER_SORT_COLUMNS.flatMap((column) =>
  (['desc', 'asc'] as const).map((order) => [`${column}:${order}` as const, sortWords(column, order)] as const),
);
const COLUMNS = [
  'id',
  'first_name',
  'last_name',
  'email',
  'time_zone',
  'last_synced_at',
  'last_synced_provider',
  'created_at',
] as const;

/** Users, searched, filtered and sorted by the URL. */
export function UsersPage() {
  const [address, change] = useFilters();
  const [creating, setCreating] = useState(false);
  const filter = userFilterOf(address);
  const { search = '' } = filter;
  usePageTitle(search && `“${search}”`, 'Users');
  const users = useUsers(filter);
  const isNarrowed = filter.provider !== undefined || filter.connection !== undefined;
  return (
    <>
      <div className="row spread">
        <h1>Users {users.data && <span className="muted">{formatCount(users.data.total)}</span>}</h1>
        <div className="row">
          <CsvButton name="users" columns={COLUMNS} read={(signal) => readUsers(filter, signal)} />
          <button type="button" className="primary" onClick={() => setCreating(true)}>
            New user
          </button>
        </div>
      </div>
      <search className="row filters">
        {/* A search replaces the previous search in the browser history; each page is a separate entry. */}
        <SearchBox
          label="Search by name, email or id"
          value={search}
          onSearch={(text) => change({ search: text, page: undefined }, { replace: true })}
        />
        <ProviderFilter value={filter.provider} onChange={(provider) => change({ provider, page: undefined })} />
        <FilterSelect
          label="Connection"
          all="Connected or not"
          options={STATES}
          value={filter.connection}
          onChange={(connection) => change({ connection, page: undefined })}
        />
        <FilterSelect
          label="Order"
          all="Newest first"
          options={SORTS.slice(1)}
          value={filterValue(SORTS.slice(1), address.get('sort'))}
          onChange={(sort) => change({ sort, page: undefined })}
        />
      </search>
      {users.error && <Problem error={users.error} retry={users.refetch} />}
      {users.isPending && <Loading />}
      {users.data && (
        <>
          <UsersTable
            users={users.data.items}
            search={search}
            isNarrowed={isNarrowed}
            stale={users.isPlaceholderData}
            order={{ by: filter.sort_by ?? 'created_at', direction: filter.sort_order ?? 'desc' }}
            onOrder={(order) => change({ sort: sortOf(order), page: undefined })}
          />
          <Pager
            page={users.data.page}
            pages={users.data.pages}
            onPage={(to) => change({ page: to > 1 ? String(to) : undefined })}
          />
          <Commands healthctl={commandOf(filter)} route={listUsers} input={{ query: { ...filter, limit: 50 } }} />
        </>
      )}
      {creating && <NewUserDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function userFilterOf(address: URLSearchParams): UserFilter {
  const provider = address.get('provider') ?? '';
  const sort = filterValue(SORTS, address.get('sort'));
  const [sortBy, sortOrder] = (sort?.split(':') ?? []) as [UserFilter['sort_by']?, UserFilter['sort_order']?];
  return {
    search: address.get('search') || undefined,
    provider: isProviderId(provider) ? provider : undefined,
    connection: filterValue(STATES, address.get('connection')),
    sort_by: sortBy,
    sort_order: sortOrder,
    page: address.get('page') ?? 1,
  };
}

function commandOf({ search, provider, connection, sort_by: sort, sort_order: order }: UserFilter): string {
  return [
    'healthctl users list',
    search && `--search ${quoted(search)}`,
    provider && `--provider ${provider}`,
    connection && `--connection ${connection}`,
    sort && `--sort ${sort} --order ${order}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Order in the URL. The default (newest first) is omitted. */
function sortOf({ by, direction }: RowOrder): string | undefined {
  const sort = `${by}:${direction}`;
  return sort === SORTS[0]?.[0] ? undefined : sort;
}

function sortWords(column: (typeof USER_SORT_COLUMNS)[number], order: 'asc' | 'desc'): string {
  if (column === 'created_at') return order === 'desc' ? 'Newest first' : 'Oldest first';
  if (column === 'last_synced_at') return order === 'desc' ? 'Last synced first' : 'Last synced last';
  return `${humanize(column)} ${order === 'asc' ? 'A–Z' : 'Z–A'}`;
}
