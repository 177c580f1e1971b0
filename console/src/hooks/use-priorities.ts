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

const PREVIEW_KEPT_MS = 30_000;
/** How many of a person's last days are compared. */
export const PREVIEWED_DAYS = 30;

/** What is put in an order: providers, or kinds of devices. */
export type Ranked = 'providers' | 'devices';

/** Names, the best first. */
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

/** What an order would change. */
export function usePrioritiesPreview(ranked: Ranked, names: readonly string[]) {
  return useQuery({
    queryKey: queryKeys.prioritiesPreview(ranked, names),
    queryFn: ({ signal }) => client.call(previewPriorities, { body: bodyOf(ranked, names), signal }),
    // It counts over all people: what was counted a moment ago is shown again.
    staleTime: PREVIEW_KEPT_MS,
    retry: false,
  });
}

/** What an order would change for one person in the last days. */
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
    staleTime: PREVIEW_KEPT_MS,
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

/** Stores an order; it holds from the next request on, also for days long past. */
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
      // The order decides which source counts on every day of every person.
      void queries.invalidateQueries({ queryKey: queryKeys.everyUser() });
      await queries.invalidateQueries({ queryKey: queryKeys.priorities(ranked) });
      onSuccess();
    },
  });
}
