import { getSyncRun } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../session.js';

const BUSY_MS = 500;
/** While it waits for another attempt. */
const WAITING_MS = 5_000;

/** A run, read again until it has ended. */
export function useRun(runId: string) {
  return useQuery({
    queryKey: ['run', runId],
    queryFn: ({ signal }) => client.call(getSyncRun, { params: { run_id: runId }, signal }),
    refetchInterval: ({ state }) => {
      if (state.data && state.data.status !== 'in_progress') return false;
      return state.data?.retrying ? WAITING_MS : BUSY_MS;
    },
  });
}
