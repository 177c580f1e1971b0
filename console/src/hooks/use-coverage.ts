import { getCoverage } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Returns the provider coverage, which only changes with the service version. */
export function useCoverage() {
  return useQuery({
    queryKey: queryKeys.coverage(),
    queryFn: ({ signal }) => client.call(getCoverage, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
