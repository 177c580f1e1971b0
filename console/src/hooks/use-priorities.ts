import {
  listDeviceTypePriorities,
  listProviderPriorities,
  previewPriorities,
  previewUserPriorities,
  setDeviceTypePriorities,
  setProviderPriorities,
} from '@healthd/contract';
import type { DeviceType, ProviderId } from '@healthd/model';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { periodBounds } from '../period.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

const PREVIEW_CACHE_MS = 30_000;
/** Number of past days to compare for a user. */
export const PREVIEWED_DAYS = 30;

/** Ranked list: providers or device types. */
export type Ranked = 'providers' | 'devices';

/** Returns the codes, highest priority first. */
export function usePriorities(ranked: Ranked) {
  return useQuery({
    queryKey: queryKeys.priorities(ranked),
    queryFn: async ({ signal }): Promise<string[]> => {
      if (ranked === 'providers') {
        const { items } = await client.call(listProviderPriorities, { signal });
        return items.map(({ provider }) => provider);
      }
      const { items } = await client.call(listDeviceTypePriorities, { signal });
      return items.map(({ device_type: type }) => type);
    },
  });
}

/** Previews the effect of an order. */
export function usePrioritiesPreview(ranked: Ranked, names: readonly string[]) {
  return useQuery({
    queryKey: queryKeys.prioritiesPreview(ranked, names),
    queryFn: ({ signal }) => client.call(previewPriorities, { body: bodyOf(ranked, names), signal }),
    // The preview counts over all users, so recent results are reused.
    staleTime: PREVIEW_CACHE_MS,
    retry: false,
  });
}

/** Previews the effect of an order on a user's recent days. */
export function useUserPrioritiesPreview(userId: string, ranked: Ranked, names: readonly string[]) {
  return useQuery({
    queryKey: queryKeys.userPrioritiesPreview(userId, ranked, names),
    queryFn: ({ signal }) =>
      client.call(previewUserPriorities, {
        params: { user_id: userId },
        query: periodBounds(PREVIEWED_DAYS),
        body: bodyOf(ranked, names),
        signal,
      }),
    staleTime: PREVIEW_CACHE_MS,
  });
}

function bodyOf(ranked: Ranked, names: readonly string[]) {
  return ranked === 'providers' ? { providers: providerRanks(names) } : { device_types: deviceTypeRanks(names) };
}

function providerRanks(names: readonly string[]) {
  return names.map((name, index) => ({ provider: name as ProviderId, priority: index + 1 }));
}

function deviceTypeRanks(names: readonly string[]) {
  return names.map((name, index) => ({ device_type: name as DeviceType, priority: index + 1 }));
}

/** Saves an order. It applies to all days from the next request on. */
export function useSetPriorities(ranked: Ranked, onSuccess: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (names: readonly string[]): Promise<void> => {
      if (ranked === 'providers') {
        await client.call(setProviderPriorities, { body: { priorities: providerRanks(names) } });
        return;
      }
      await client.call(setDeviceTypePriorities, { body: { priorities: deviceTypeRanks(names) } });
    },
    onSuccess: async () => {
      // The order affects the selected source of all days of all users.
      void queries.invalidateQueries({ queryKey: queryKeys.everyUser() });
      await queries.invalidateQueries({ queryKey: queryKeys.priorities(ranked) });
      onSuccess();
    },
  });
}
