import { listProviderPriorities } from '@healthd/contract';
import { Commands } from '../../components/commands.js';
import { providerName } from '../../components/provider-name.js';
import { humanize } from '../../format.js';
import { usePageTitle } from '../../page-title.js';
import { OrderCard } from './order-card.js';

/** Who counts where several sources have the same data: providers first, then kinds of devices. */
export function PrioritiesPage() {
  usePageTitle('Priorities');
  return (
    <>
      <h1>Priorities</h1>
      <p className="message muted">
        Where several sources have the same data, the figures of a day come from the best of them.
      </p>
      <div className="columns">
        <OrderCard ranked="providers" title="Providers" nameOf={providerName} />
        <OrderCard ranked="devices" title="Kinds of devices" nameOf={humanize} />
      </div>
      <Commands healthctl="healthctl providers priorities" route={listProviderPriorities} input={{}} />
    </>
  );
}
