import type { ProviderId } from '@healthd/model';
import type { ConfiguredCloud } from '../connections.js';
import type { SubscriberEnqueuer } from '../subscribers/subscriber-job.js';
import type { ListedProvider, ProviderChange, ProviderSettings } from './provider-settings.js';

export interface ProviderSwitchServices {
  uses: ProviderSettings;
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
  subscriptions: SubscriberEnqueuer;
}

/**
 * Changes a provider's settings. Stores the mode immediately. A job then registers or removes the subscription at the
 * vendor. Polling continues until a registration succeeds.
 * @throws Failure `bad_request`
 */
export async function switchProvider(
  { uses, configurationOf, subscriptions }: ProviderSwitchServices,
  id: ProviderId,
  change: ProviderChange,
): Promise<ListedProvider> {
  const before = await uses.of(id);
  const listed = await uses.change(id, change);
  if (change.liveSyncMode === undefined) return listed;
  const configured = configurationOf(id);
  const manageable = configured?.cloud.subscribers?.manageable(configured.configuration) ?? false;
  if (change.liveSyncMode === 'webhook') {
    await uses.setSubscriberState(id, manageable ? 'registering' : 'unmanaged');
  } else if (!manageable || before.subscriberState === undefined) {
    await uses.setSubscriberState(id, null);
    return uses.change(id, {});
  }
  if (manageable) await subscriptions.tryEnqueue({ provider: id });
  return uses.change(id, {});
}
