import type { SystemStatus } from '@healthd/schemas';
import { Link } from 'react-router';
import { Instant } from '../../components/instant.js';
import { Loading } from '../../components/loading.js';
import { providerName } from '../../components/provider-name.js';
import { SeverityMark } from '../../components/severity-mark.js';
import { formatCount } from '../../format.js';
import { useSystemStatus } from '../../hooks/use-service-activity.js';

/** Vendors whose deliveries are rejected because a setting is missing, and how to backfill the missing data. */
export function UnprovenDeliveries() {
  const status = useSystemStatus();
  if (status.isPending) return <Loading height={0} />;
  const vendors = status.data?.unproven_deliveries ?? [];
  if (vendors.length === 0) return null;
  return (
    <section className="card" aria-label="Rejected deliveries">
      <header>
        <h2>Rejected deliveries</h2>
      </header>
      <ul className="groups">
        {vendors.map((vendor) => (
          <li key={vendor.provider} className="group">
            <SeverityMark severity={vendor.is_set ? 'attention' : 'problem'} />
            <div className="group-what">
              <b>{providerName(vendor.provider)}</b>
              {vendor.is_set ? <Gap vendor={vendor} /> : <MissingSetting vendor={vendor} />}
            </div>
            {vendor.last_refused_at && (
              <div className="group-when muted">
                last rejected <Instant at={vendor.last_refused_at} />
              </div>
            )}
            {vendor.connections_to_backfill > 0 && (
              <Link className="button" to={`/connections?provider=${vendor.provider}`}>
                {formatCount(vendor.connections_to_backfill)} {vendor.connections_to_backfill === 1 ? 'user' : 'users'}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

type Vendor = SystemStatus['unproven_deliveries'][number];

function MissingSetting({ vendor: { setting, address, refused } }: { vendor: Vendor }) {
  return (
    <div className="muted">
      {formatCount(refused)} deliveries rejected. Set <code>{setting}</code> to a long random value, enter{' '}
      <code>{address}</code> in the vendor’s portal, and restart the service. The vendor repeats rejected deliveries.
    </div>
  );
}

function Gap({ vendor: { setting, refused, provider } }: { vendor: Vendor }) {
  return (
    <div className="muted">
      {formatCount(refused)} deliveries were rejected while <code>{setting}</code> was unset. Request a backfill for
      each user, on the user’s page or with <code>healthctl sync historical &lt;user&gt; --provider {provider}</code>.
    </div>
  );
}
