import { getProvider } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ProviderSettingResponse } from '@healthd/schemas';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { Commands } from '../../components/commands.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { ProviderName } from '../../components/provider-name.js';
import { SeverityMark } from '../../components/severity-mark.js';
import { useProviderQuota, useProviders } from '../../hooks/use-providers.js';
import { useTrouble } from '../../hooks/use-trouble.js';
import { usePageTitle } from '../../page-title.js';
import { GroupRow } from '../home/group-row.js';
import { NotFoundPage } from '../not-found-page.js';
import {
  EnabledControl,
  GranularityControl,
  ModeControl,
  useProviderChoice,
  WebhookState,
} from './provider-controls.js';
import { Quota } from './quota.js';
import { Subscriptions } from './subscriptions.js';
import { TermQuestions, VendorTerms } from './vendor-terms.js';

/** Provider page: credentials, settings, quota and subscriptions. */
export function ProviderPage() {
  const { provider = '' } = useParams();
  const providers = useProviders({ includeUnconfigured: true });
  const setting = providers.data?.find((one) => one.provider === provider);
  usePageTitle(setting?.name ?? provider, 'Providers');
  if (providers.error) return <Problem error={providers.error} retry={providers.refetch} />;
  if (!providers.data) return <Loading />;
  if (!setting) return <NotFoundPage />;
  return <Details stored={setting} />;
}

function Details({ stored }: { stored: ProviderSettingResponse }) {
  const choice = useProviderChoice(stored);
  const { provider, icon_url: icon, has_cloud_api: hasCloud, is_configured: isConfigured } = stored;
  return (
    <>
      <div className="row spread">
        <h1>
          <ProviderName provider={provider} icon={icon} />
        </h1>
        <div className="row">
          <Link to={`/connections?provider=${provider}`}>Connections</Link>
          <Link to={`/runs?provider=${provider}`}>Runs</Link>
          <Link to={`/coverage?provider=${provider}`}>Coverage</Link>
        </div>
      </div>
      <ProviderTrouble provider={provider} />
      <TermQuestions provider={provider} />
      {choice.error && <Problem error={choice.error} />}
      <dl className="card facts" aria-busy={choice.isPending}>
        <Fact name="Credentials">{credentials(stored)}</Fact>
        <Fact name="State">
          <EnabledControl choice={choice} />
        </Fact>
        <Fact name="Syncing">
          <ModeControl choice={choice} />
        </Fact>
        <Fact name="Granularity">
          <GranularityControl choice={choice} />
        </Fact>
        <Fact name="Webhooks">
          <WebhookState setting={choice.setting} />
        </Fact>
      </dl>
      <VendorTerms provider={provider} />
      {hasCloud && isConfigured && (
        <>
          <QuotaCard provider={provider} />
          <Subscriptions provider={provider} name={stored.name} />
        </>
      )}
      <Commands
        healthctl={`healthctl providers show ${provider}`}
        route={getProvider}
        input={{ params: { provider: provider as ProviderId } }}
      />
    </>
  );
}

/** Problems of this provider's connections, grouped as on the home page. */
function ProviderTrouble({ provider }: { provider: string }) {
  const trouble = useTrouble();
  const groups = trouble.data?.groups.filter((group) => group.provider === provider && group.cause !== 'disconnected');
  if (trouble.error) return <Problem error={trouble.error} retry={trouble.refetch} />;
  if (!groups) return <Loading height={54} />;
  return (
    <section className="card provider-trouble" aria-label="Problems">
      {groups.length === 0 && (
        <p className="all-well">
          <SeverityMark severity="ok" />
          No connections need attention.
        </p>
      )}
      {groups.length > 0 && (
        <ul className="groups">
          {groups.map((group) => (
            <GroupRow key={group.cause} group={group} />
          ))}
        </ul>
      )}
    </section>
  );
}

function QuotaCard({ provider }: { provider: string }) {
  const quota = useProviderQuota(provider);
  if (quota.error) return <Problem error={quota.error} retry={quota.refetch} />;
  if (quota.isPending) return <Loading height={260} />;
  if (quota.data === null) return null;
  return (
    <section className="card" aria-label="Quota">
      <header>
        <h2>Quota</h2>
        <span className="muted">requests to the vendor for all users</span>
      </header>
      <div className="body quota-card">
        <Quota quota={quota.data} />
      </div>
    </section>
  );
}

function credentials({ has_cloud_api: hasCloud, is_configured: isConfigured }: ProviderSettingResponse): ReactNode {
  if (!hasCloud) return <span className="muted">not needed</span>;
  return isConfigured ? (
    <span className="badge good">set</span>
  ) : (
    <>
      <span className="badge warn">missing</span>{' '}
      <span className="muted">set the vendor’s client id and secret, then restart the service</span>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
