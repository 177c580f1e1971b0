import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  listWebhookSubscriptions,
  renewWebhookSubscriptions,
} from '@healthd/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Outcome of one subscription change. */
interface SubscriptionResult {
  subscription_id?: string | undefined;
  status: string;
  error?: string | undefined;
}

/** Subscription in the vendor's format. */
export type Subscription = Record<string, unknown>;

/** Returns the subscriptions at a vendor, in the vendor's format. */
export function useSubscriptions(provider: string) {
  return useQuery({
    queryKey: queryKeys.subscriptions(provider),
    queryFn: async ({ signal }) =>
      (await client.call(listWebhookSubscriptions, { params: { provider }, signal })).subscriptions,
    // The vendor may reject requests that it does not support.
    retry: false,
  });
}

/** Registers a URL or updates its registration. */
export function useRegister(provider: string) {
  return useSubscriptionChange(provider, async (address: string) => {
    const query = { callback_url: address };
    return (await client.call(createWebhookSubscription, { params: { provider }, query })).subscriptions;
  });
}

/** Renews expiring subscriptions. */
export function useRenew(provider: string) {
  return useSubscriptionChange(
    provider,
    async () => (await client.call(renewWebhookSubscriptions, { params: { provider } })).renewed,
  );
}

/** Deletes a subscription. */
export function useUnregister(provider: string) {
  return useSubscriptionChange(provider, async (id: string) => {
    const params = { provider, subscription_id: id };
    return [(await client.call(deleteWebhookSubscription, { params })).deleted];
  });
}

/** @throws Error with the vendor's rejection */
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
