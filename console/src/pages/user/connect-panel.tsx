import { authorizeProvider, listProviders } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ProviderSettingResponse } from '@healthd/schemas';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Problem } from '../../components/problem.js';
import { ProviderName } from '../../components/provider-name.js';
import { client } from '../../session.js';

/** Begins a connection: the address of the consent page, to be opened by the person. */
export function ConnectPanel({ userId, onBegun }: { userId: string; onBegun: () => void }) {
  const providers = useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => client.call(listProviders, { query: {}, signal }),
  });
  const begin = useMutation({
    mutationFn: (provider: ProviderSettingResponse) =>
      client.call(authorizeProvider, {
        params: { provider: provider.provider as ProviderId },
        query: { user_id: userId },
      }),
    onSuccess: onBegun,
  });
  if (providers.error) return <Problem error={providers.error} retry={providers.refetch} />;
  const clouds = providers.data?.filter((one) => one.has_cloud_api && one.is_configured && one.is_enabled);
  if (!clouds) return undefined;
  return (
    <section className="card" aria-label="Connect">
      <div className="body connect">
        {clouds.length === 0 && (
          <p className="muted">
            No provider’s cloud is set up. <Link to="/providers">Providers</Link> shows which there are.
          </p>
        )}
        <div className="row">
          {clouds.map((one) => (
            <button key={one.provider} type="button" disabled={begin.isPending} onClick={() => begin.mutate(one)}>
              Connect <ProviderName provider={one.provider} icon={one.icon_url} />
            </button>
          ))}
        </div>
        {begin.error && <Problem error={begin.error} />}
        {begin.data && <ConsentAddress address={begin.data.authorization_url} />}
      </div>
    </section>
  );
}

function ConsentAddress({ address }: { address: string }) {
  return (
    <div role="status">
      <p>
        Have the person open this address within 15 minutes.{' '}
        <a href={address} target="_blank" rel="noreferrer">
          Open it here
        </a>
      </p>
      <input readOnly value={address} aria-label="Address to consent at" onFocus={(event) => event.target.select()} />
    </div>
  );
}
