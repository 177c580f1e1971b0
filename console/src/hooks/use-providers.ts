import { authorizeProvider, getProvider, listProviders, updateProvider } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ProviderSettingResponse } from '@healthd/schemas';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** While the service registers at a vendor. */
const REGISTERING_MS = 2_000;
/** While the page shows what is left of a quota. */
const QUOTA_MS = 10_000;

/** Providers and how they are used; those whose credentials are not set on request only. */
export function useProviders({ includeUnconfigured }: { includeUnconfigured: boolean }) {
  return useQuery({
    queryKey: queryKeys.providerList(includeUnconfigured),
    queryFn: ({ signal }) =>
      client.call(listProviders, { query: { include_unconfigured: includeUnconfigured }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.some((one) => one.subscriber_state === 'registering') ? REGISTERING_MS : false,
  });
}

/** What the quota of an application at a vendor is used for, kept up to date while it is shown; null without a quota. */
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

/** Changes how a provider is used. @param onSettled called once the list shows what is stored, also after a failure */
export function useUpdateProvider(provider: string, onSettled: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ProviderChange) =>
      client.call(updateProvider, { params: { provider: provider as ProviderId }, body }),
    onSettled: async () => {
      // How a provider is used shows in its registrations and in every connection to it.
      const changed = [queryKeys.subscriptions(provider), queryKeys.everyUser(), queryKeys.everyConnection()];
      for (const queryKey of changed) void queries.invalidateQueries({ queryKey });
      await queries.invalidateQueries({ queryKey: queryKeys.providers() });
      onSettled();
    },
  });
}

/** Obtains the address at which the person consents to a connection. */
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
