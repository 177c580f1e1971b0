import { VERSION_HEADER } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from './query-keys.js';

const FRESH_MS = 15_000;

/** How the parts of the service are, as `/health/ready` says it. */
interface Health {
  status: 'ready' | 'not_ready';
  checks: Record<string, 'ok' | 'failing'>;
  disk: 'ok' | 'full';
}

/** The same with the version of the service, where it says one. */
export interface VersionedHealth extends Health {
  version: string | null;
}

/** Asks the service how its parts are; it answers with 503 while one of them fails. */
export function useServiceHealth() {
  return useQuery({
    queryKey: queryKeys.health(),
    queryFn: async ({ signal }): Promise<VersionedHealth> => {
      const response = await fetch('/health/ready', { signal, cache: 'no-store' });
      return { ...((await response.json()) as Health), version: response.headers.get(VERSION_HEADER) };
    },
    refetchInterval: FRESH_MS,
  });
}
