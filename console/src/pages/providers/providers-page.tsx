import { listProviders } from '@healthd/contract';
import { Commands } from '../../components/commands.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { TableCard } from '../../components/table-card.js';
import { useProviders } from '../../hooks/use-providers.js';
import { usePageTitle } from '../../page-title.js';
import { ProviderRow } from './provider-row.js';

const COLUMNS = ['Provider', 'State', 'Syncing', 'Granularity', 'Webhooks', 'Quota'];

/** Providers and their settings. */
export function ProvidersPage() {
  usePageTitle('Providers');
  const providers = useProviders({ includeUnconfigured: true });
  return (
    <>
      <h1>Providers</h1>
      {providers.error && <Problem error={providers.error} retry={providers.refetch} />}
      {providers.isPending && <Loading />}
      {providers.data && (
        <TableCard name="Providers" stacked columns={COLUMNS}>
          {providers.data.map((setting) => (
            <ProviderRow key={setting.provider} setting={setting} />
          ))}
        </TableCard>
      )}
      <Commands
        healthctl="healthctl providers list --all"
        route={listProviders}
        input={{ query: { include_unconfigured: true } }}
      />
    </>
  );
}
