import { listUserSyncRuns } from '@healthd/contract';
import { Commands } from '../../components/commands.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { RunsTable } from '../../components/runs-table.js';
import { useUserRuns } from '../../hooks/use-runs.js';
import { ImportPanel } from './import-panel.js';

export function RunsTab({ userId }: { userId: string }) {
  const runs = useUserRuns(userId);
  return (
    <>
      <ImportPanel userId={userId} />
      {runs.error && <Problem error={runs.error} retry={runs.refetch} />}
      {runs.isPending && <Loading />}
      {runs.data && (
        <RunsTable runs={runs.data} withUser={false} empty="No runs yet. Connect a provider or import a file." />
      )}
      <Commands
        healthctl={`healthctl runs list --user ${userId}`}
        route={listUserSyncRuns}
        input={{ params: { user_id: userId }, query: {} }}
      />
    </>
  );
}
