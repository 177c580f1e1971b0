import { authorizeProvider, listProviders, updateProvider } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ProviderSettingResponse } from '@healthd/schemas';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** While the service registers at a vendor. */
const REGISTERING_MS = 2_000;

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
