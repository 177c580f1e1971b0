import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  listWebhookSubscriptions,
  renewWebhookSubscriptions,
} from '@healthd/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** What became of one subscription, in the words of the service. */
interface SubscriptionResult {
  subscription_id?: string | undefined;
  status: string;
  error?: string | undefined;
}

/** A subscription as the vendor shows it; its members are the vendor's own. */
export type Subscription = Record<string, unknown>;

/** What is registered at a vendor, as the vendor shows it. */
export function useSubscriptions(provider: string) {
  return useQuery({
    queryKey: queryKeys.subscriptions(provider),
    queryFn: async ({ signal }) =>
      (await client.call(listWebhookSubscriptions, { params: { provider }, signal })).subscriptions,
    // It is the vendor who answers, and refuses what it does not offer.
    retry: false,
  });
}

/** Registers an address, or brings the registered one up to date. */
export function useRegister(provider: string) {
  return useSubscriptionChange(provider, async (address: string) => {
    const query = { callback_url: address };
    return (await client.call(createWebhookSubscription, { params: { provider }, query })).subscriptions;
  });
}

/** Renews subscriptions that end by themselves. */
export function useRenew(provider: string) {
  return useSubscriptionChange(
    provider,
    async () => (await client.call(renewWebhookSubscriptions, { params: { provider } })).renewed,
  );
}

/** Takes a subscription off. */
export function useUnregister(provider: string) {
  return useSubscriptionChange(provider, async (id: string) => {
    const params = { provider, subscription_id: id };
    return [(await client.call(deleteWebhookSubscription, { params })).deleted];
  });
}

/** @throws Error that names what the vendor refused */
function useSubscriptionChange<Input>(provider: string, change: (input: Input) => Promise<SubscriptionResult[]>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => {
      const results = await change(input);
      const failed = results.find(({ status }) => status === 'error');
      if (failed) throw new Error(`The vendor rejected the request: ${failed.error ?? 'no reason provided'}`);
      return results;
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: queryKeys.subscriptions(provider) }),
        queries.invalidateQueries({ queryKey: queryKeys.providers() }),
      ]),
  });
}
