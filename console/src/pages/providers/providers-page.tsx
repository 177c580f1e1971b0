import { listProviders } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { Command } from '../../components/command.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { TableCard } from '../../components/table-card.js';
import { usePageTitle } from '../../page-title.js';
import { client } from '../../session.js';
import { ProviderRow } from './provider-row.js';

const COLUMNS = ['Provider', 'State', 'Syncing', 'Granularity', 'Webhooks'];
/** While the vendor is being told. */
const REFRESH_MS = 2_000;

/** Where data can come from, and how each provider is used. */
export function ProvidersPage() {
  usePageTitle('Providers');
  const providers = useQuery({
    queryKey: ['providers', 'all'],
    queryFn: ({ signal }) => client.call(listProviders, { query: { include_unconfigured: 'true' }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.some((one) => one.subscriber_state === 'registering') ? REFRESH_MS : false,
  });
  return (
    <>
      <h1>Providers</h1>
      {providers.error && <Problem error={providers.error} retry={providers.refetch} />}
      {providers.isPending && <Loading />}
      {providers.data && (
        <TableCard name="Providers" columns={COLUMNS}>
          {providers.data.map((setting) => (
            <ProviderRow key={setting.provider} setting={setting} />
          ))}
        </TableCard>
      )}
      <Command line="healthctl providers list --all" />
    </>
  );
}
