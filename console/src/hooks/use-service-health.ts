import { VERSION_HEADER } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from './query-keys.js';

const FRESH_MS = 15_000;

/** Health of the service's parts, from `/health/ready`. */
interface Health {
  status: 'ready' | 'not_ready';
  checks: Record<string, 'ok' | 'failing'>;
  disk: 'ok' | 'full';
}

/** Health with the service version, if reported. */
export interface VersionedHealth extends Health {
  version: string | null;
}

/** Requests the service health. The response is 503 while a part fails. */
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
