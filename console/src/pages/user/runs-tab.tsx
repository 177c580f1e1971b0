import { listUserSyncRuns } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { Command } from '../../components/command.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { RunsTable } from '../../components/runs-table.js';
import { runsRefresh } from '../../runs-refresh.js';
import { client } from '../../session.js';
import { ImportPanel } from './import-panel.js';

export function RunsTab({ userId }: { userId: string }) {
  const runs = useQuery({
    queryKey: ['runs', 'user', userId],
    queryFn: ({ signal }) =>
      client.call(listUserSyncRuns, { params: { user_id: userId }, query: { limit: '100' }, signal }),
    refetchInterval: ({ state }) => runsRefresh(state.data),
  });
  return (
    <>
      <ImportPanel userId={userId} />
      {runs.error && <Problem error={runs.error} retry={runs.refetch} />}
      {runs.isPending && <Loading />}
      {runs.data && (
        <RunsTable
          runs={runs.data}
          withUser={false}
          empty="Nothing has been imported or synchronised for this user yet."
        />
      )}
      <Command line={`healthctl runs list --user ${userId}`} />
    </>
  );
}
