import { diagnoseUser } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

const FRESH_MS = 15_000;

/** Returns the user's diagnosis, one sentence per provider. */
export function useDiagnosis(userId: string) {
  return useQuery({
    queryKey: queryKeys.diagnosis(userId),
    queryFn: ({ signal }) => client.call(diagnoseUser, { params: { user_id: userId }, query: {}, signal }),
    refetchInterval: FRESH_MS,
  });
}
