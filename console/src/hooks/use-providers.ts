import { authorizeProvider, getProvider, listProviders, updateProvider } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ProviderSettingResponse } from '@healthd/schemas';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Refetch interval while the service registers at a vendor. */
const REGISTERING_MS = 2_000;
/** Refetch interval of a displayed quota. */
const QUOTA_MS = 10_000;

/** Returns provider settings. Providers without credentials are only included on request. */
export function useProviders({ includeUnconfigured }: { includeUnconfigured: boolean }) {
  return useQuery({
    queryKey: queryKeys.providerList(includeUnconfigured),
    queryFn: ({ signal }) =>
      client.call(listProviders, { query: { include_unconfigured: includeUnconfigured }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.some((one) => one.subscriber_state === 'registering') ? REGISTERING_MS : false,
  });
}

/** Returns the use of a vendor quota, updated while displayed; null without a quota. */
export function useProviderQuota(provider: string) {
  return useQuery({
    queryKey: queryKeys.providerQuota(provider),
    queryFn: async ({ signal }) =>
      (await client.call(getProvider, { params: { provider: provider as ProviderId }, signal })).request_quota,
    refetchInterval: QUOTA_MS,
  });
}

export type ProviderChange = Partial<
  Pick<ProviderSettingResponse, 'is_enabled' | 'live_sync_mode' | 'data_granularity'>
>;

/**
 * Updates a provider's settings.
 * @param onSettled called after the list has been refetched, also after a failure
 */
export function useUpdateProvider(provider: string, onSettled: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ProviderChange) =>
      client.call(updateProvider, { params: { provider: provider as ProviderId }, body }),
    onSettled: async () => {
      // Provider settings affect subscriptions and connections.
      const changed = [queryKeys.subscriptions(provider), queryKeys.everyUser(), queryKeys.everyConnection()];
      for (const queryKey of changed) void queries.invalidateQueries({ queryKey });
      await queries.invalidateQueries({ queryKey: queryKeys.providers() });
      onSettled();
    },
  });
}

/** Requests the consent URL for a connection. */
export function useAuthorizeProvider(userId: string, onSuccess: () => void) {
  return useMutation({
    mutationFn: (provider: string) =>
      client.call(authorizeProvider, {
        params: { provider: provider as ProviderId },
        query: { user_id: userId },
      }),
    onSuccess,
  });
}
