import { isProviderId, PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import {
  type ProviderConfiguration,
  type SubscriberAdapter,
  type SubscriberOutcome,
  VendorError,
} from '@healthd/providers';
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getWebhookSubscription,
  listWebhookSubscriptions,
  renewWebhookSubscriptions,
  updateWebhookSubscription,
} from '@healthd/schemas';
import type { ConnectionParts } from '../../connections/index.js';
import { Failure } from '../../platform/failures.js';
import { type Binding, bind } from '../binding.js';

/**
 * Routes for the operator's webhook subscriptions at vendors. A rejection by the vendor is part of a successful
 * response, as clients expect.
 */
export function webhookSubscriptionRoutes({ connections }: { connections: ConnectionParts }): Binding[] {
  const at = (provider: string) => managed(connections, provider);
  return [
    bind(listWebhookSubscriptions, async ({ params }) => {
      const { subscribers, configuration } = at(params.provider);
      return { subscriptions: (await vendorResult(subscribers.list(configuration))).map(({ raw }) => ({ ...raw })) };
    }),
    bind(createWebhookSubscription, async ({ params, query }) => {
      const { id, subscribers, configuration } = at(params.provider);
      const replaces = { replaces: 'any' };
      const ensured = connections.givenSecrets.ensure(id, subscribers, configuration, query.callback_url, replaces);
      return { subscriptions: await resultsOf(ensured) };
    }),
    bind(renewWebhookSubscriptions, async ({ params }) => {
      const { subscribers, configuration } = at(params.provider);
      if (!subscribers.renew) {
        throw new Failure('not_implemented', `Subscriptions of ${params.provider} do not expire`);
      }
      return { renewed: await resultsOf(subscribers.renew(configuration)) };
    }),
    bind(getWebhookSubscription, async ({ params }) => {
      const { subscribers, configuration } = at(params.provider);
      const found = (await vendorResult(subscribers.list(configuration))).find(
        ({ id }) => id === params.subscription_id,
      );
      return { subscription: found ? { ...found.raw } : null };
    }),
    bind(updateWebhookSubscription, async ({ params: { provider, subscription_id: id }, query }) => {
      const { subscribers, configuration } = at(provider);
      return { updated: await resultOf(id, subscribers.update(configuration, id, query.callback_url)) };
    }),
    bind(deleteWebhookSubscription, async ({ params: { provider, subscription_id: id } }) => {
      const { subscribers, configuration } = at(provider);
      const known = (await vendorResult(subscribers.list(configuration))).some((one) => one.id === id);
      if (!known) throw new Failure('not_found', `${provider} has no subscription with this ID`);
      return { deleted: await resultOf(id, subscribers.remove(configuration, id)) };
    }),
  ];
}

/**
 * Returns the subscription adapter of a provider. @throws Failure `not_found` (unknown provider), `not_implemented`
 * (not supported), `conflict` (no credentials)
 */
function managed(
  connections: ConnectionParts,
  provider: string,
): { id: ProviderId; subscribers: SubscriberAdapter; configuration: ProviderConfiguration } {
  if (!isProviderId(provider)) throw new Failure('not_found', `Unknown provider: '${provider}'`);
  const subscribers = connections.uses.find(provider)?.cloud?.subscribers;
  if (!subscribers) {
    throw new Failure('not_implemented', `${PROVIDER_NAMES[provider]} has no subscriptions to manage here`);
  }
  const configuration = connections.configurationOf(provider)?.configuration;
  if (!configuration || !subscribers.manageable(configuration)) {
    throw new Failure('conflict', `The credentials to manage subscriptions of ${provider} are not configured`);
  }
  return { id: provider, subscribers, configuration };
}

async function resultOf(id: string, outcome: Promise<SubscriberOutcome>) {
  const [result] = await resultsOf(outcome.then((one) => [one]));
  return { subscription_id: id, status: 'skipped' as const, ...result };
}

async function resultsOf(outcomes: Promise<readonly SubscriberOutcome[]>) {
  try {
    return (await outcomes).map(({ id, status }) => ({ subscription_id: id, status }));
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    return [{ status: 'error' as const, error: error.message }];
  }
}

async function vendorResult<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    throw new Failure('unavailable', `The provider did not respond: ${error.message}`, { cause: error });
  }
}
