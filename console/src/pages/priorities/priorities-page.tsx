import { listProviderPriorities } from '@healthd/contract';
import { Commands } from '../../components/commands.js';
import { UserFilter } from '../../components/user-filter.js';
import { providerName } from '../../components/provider-name.js';
import { humanize } from '../../format.js';
import { useFilters } from '../../hooks/use-filters.js';
import { usePageTitle } from '../../page-title.js';
import { OrderCard } from './order-card.js';

/** URL parameter with the user of the preview. */
const USER = 'user';

/** Priorities of providers and device types. */
export function PrioritiesPage() {
  usePageTitle('Priorities');
  const [filters, setFilters] = useFilters();
  const userId = filters.get(USER) ?? undefined;
  return (
    <>
      <h1>Priorities</h1>
      <p className="message muted">
        If several sources have the same data, the source with the highest priority provides the daily figures.
      </p>
      <div className="row filters">
        <span>Preview changes for</span>
        <UserFilter placeholder="User name, email or id" value={userId} onChange={(id) => setFilters({ [USER]: id })} />
      </div>
      <div className="columns">
        <OrderCard ranked="providers" title="Providers" nameOf={providerName} userId={userId} />
        <OrderCard ranked="devices" title="Device types" nameOf={humanize} userId={userId} />
      </div>
      <Commands healthctl="healthctl providers priorities" route={listProviderPriorities} input={{}} />
    </>
  );
}
