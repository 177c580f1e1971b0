import { listAllConnections } from '@healthd/contract';
import { isProviderId } from '@healthd/model';
import { Commands } from '../../components/commands.js';
import { CsvButton } from '../../components/csv-button.js';
import { FilterSelect, filterValue } from '../../components/filter-select.js';
import { Loading } from '../../components/loading.js';
import { MoreRows } from '../../components/more-rows.js';
import { UserFilter } from '../../components/user-filter.js';
import { Problem } from '../../components/problem.js';
import { ProviderFilter } from '../../components/provider-filter.js';
import { type ConnectionFilter, readAllConnections, useAllConnections } from '../../hooks/use-all-connections.js';
import { useFilters } from '../../hooks/use-filters.js';
import { usePageTitle } from '../../page-title.js';
import { quoted } from '../../shell-command.js';
import { ConnectionsTable } from './connections-table.js';

const STATES = [
  ['active', 'Active'],
  ['failing', 'Failing'],
  ['ended', 'Ended'],
] as const;

const COLUMNS = [
  'user_id',
  'first_name',
  'last_name',
  'email',
  'provider',
  'status',
  'status_reason',
  'account_state',
  'last_synced_at',
  'failing_since',
  'last_error',
  'last_error_at',
  'created_at',
] as const;

/** Connections of all users. */
export function ConnectionsPage() {
  const [address, change] = useFilters();
  usePageTitle('Connections');
  const provider = address.get('provider') ?? '';
  const filter: ConnectionFilter = {
    user_id: address.get('user') ?? undefined,
    provider: isProviderId(provider) ? provider : undefined,
    state: filterValue(STATES, address.get('state')),
  };
  const connections = useAllConnections(filter);
  const rows = connections.data?.pages.flatMap(({ data }) => data) ?? [];
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <div className="row spread">
        <h1>Connections</h1>
        <CsvButton name="connections" columns={COLUMNS} read={(signal) => readAllConnections(filter, signal)} />
      </div>
      <search className="row filters">
        <UserFilter value={filter.user_id} onChange={(user) => change({ user })} />
        <ProviderFilter value={filter.provider} onChange={(chosen) => change({ provider: chosen })} />
        <FilterSelect
          label="State"
          all="All states"
          options={STATES}
          value={filter.state}
          onChange={(state) => change({ state })}
        />
      </search>
      {connections.error && !connections.isFetchNextPageError && (
        <Problem error={connections.error} retry={connections.refetch} />
      )}
      {connections.isPending && <Loading />}
      {connections.data && (
        <ConnectionsTable
          connections={rows}
          stale={connections.isPlaceholderData}
          empty={
            isNarrowed
              ? 'No connections match these filters.'
              : 'No connections yet. Open a user and send a connect link.'
          }
        />
      )}
      <MoreRows count={rows.length} pages={connections} />
      <Commands healthctl={commandOf(filter)} route={listAllConnections} input={{ query: { ...filter, limit: 100 } }} />
    </>
  );
}

function commandOf({ user_id, provider, state }: ConnectionFilter): string {
  if (user_id) return `healthctl connections list --user ${quoted(user_id)}`;
  return `healthctl connections list${provider ? ` --provider ${provider}` : ''}${state ? ` --state ${state}` : ''}`;
}
