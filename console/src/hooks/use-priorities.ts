import {
  listDeviceTypePriorities,
  listProviderPriorities,
  setDeviceTypePriorities,
  setProviderPriorities,
} from '@healthd/contract';
import type { DeviceType, ProviderId } from '@healthd/model';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

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

/** Stores an order; it holds from the next request on, also for days long past. */
export function useSetPriorities(ranked: Ranked, onSuccess: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (names: readonly string[]): Promise<void> => {
      if (ranked === 'providers') {
        const priorities = names.map((name, index) => ({ provider: name as ProviderId, priority: index + 1 }));
        await client.call(setProviderPriorities, { body: { priorities } });
        return;
      }
      const priorities = names.map((name, index) => ({ device_type: name as DeviceType, priority: index + 1 }));
      await client.call(setDeviceTypePriorities, { body: { priorities } });
    },
    onSuccess: async () => {
      // The order decides which source counts on every day of every person.
      void queries.invalidateQueries({ queryKey: queryKeys.everyUser() });
      await queries.invalidateQueries({ queryKey: queryKeys.priorities(ranked) });
      onSuccess();
    },
  });
}
