import { Link } from 'react-router';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { ProviderName } from '../../components/provider-name.js';
import { useAuthorizeProvider, useProviders } from '../../hooks/use-providers.js';

/** Starts a connection and shows the consent URL. */
export function ConnectPanel({ userId, onStarted }: { userId: string; onStarted: () => void }) {
  const providers = useProviders({ includeUnconfigured: false });
  const authorize = useAuthorizeProvider(userId, onStarted);
  if (providers.error) return <Problem error={providers.error} retry={providers.refetch} />;
  const clouds = providers.data?.filter((one) => one.has_cloud_api && one.is_configured && one.is_enabled);
  if (!clouds) return <Loading height={120} />;
  return (
    <section className="card" aria-label="Connect">
      <header>
        <h2>Connect here</h2>
        <span className="muted">for a person who is with you; send a link to everyone else</span>
      </header>
      <div className="body connect">
        {clouds.length === 0 && (
          <p className="muted">
            No cloud provider is set up. <Link to="/providers">Providers</Link> lists all of them.
          </p>
        )}
        <div className="row">
          {clouds.map((one) => (
            <button
              key={one.provider}
              type="button"
              disabled={authorize.isPending}
              onClick={() => authorize.mutate(one.provider)}
            >
              Connect <ProviderName provider={one.provider} icon={one.icon_url} />
            </button>
          ))}
        </div>
        {authorize.error && <Problem error={authorize.error} />}
        {authorize.data && <ConsentAddress address={authorize.data.authorization_url} />}
      </div>
    </section>
  );
}

function ConsentAddress({ address }: { address: string }) {
  return (
    <div role="status">
      <p>
        The person must open this URL within 15 minutes.{' '}
        <a href={address} target="_blank" rel="noreferrer">
          Open the URL
        </a>
      </p>
      <input readOnly value={address} aria-label="Consent URL" onFocus={(event) => event.target.select()} />
    </div>
  );
}
