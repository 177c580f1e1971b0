import { requestHistoricalSync, requestProviderSync } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

interface Account {
  userId: string;
  provider: string;
}

/** Starts a sync of new data and returns its run. */
export function useSyncNow({ userId, provider }: Account) {
  return useStarted(userId, () =>
    client.call(requestProviderSync, { params: { user_id: userId, provider: provider as ProviderId }, query: {} }),
  );
}

/** Starts a backfill of the last days. */
export function useBackfill({ userId, provider }: Account) {
  return useStarted(userId, (days: number) =>
    client.call(requestHistoricalSync, {
      params: { user_id: userId, provider: provider as ProviderId },
      query: { days },
    }),
  );
}

/** Refetches all lists that contain the started run. */
function useStarted<Input, Answer>(userId: string, mutationFn: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: queryKeys.runs() }),
        queries.invalidateQueries({ queryKey: queryKeys.user(userId) }),
      ]);
    },
  });
}
