import { listUserSyncRuns } from '@healthd/api';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../components/problem.js';
import { RunsTable } from '../../components/runs-table.js';
import { client } from '../../session.js';

export function RunsTab({ userId }: { userId: string }) {
  const runs = useQuery({
    queryKey: ['runs', 'user', userId],
    queryFn: ({ signal }) =>
      client.call(listUserSyncRuns, { params: { user_id: userId }, query: { limit: '100' }, signal }),
    refetchInterval: 2_000,
  });
  if (runs.error) return <Problem error={runs.error} />;
  return (
    <section className="card scroll">
      {runs.data && <RunsTable runs={runs.data} withUser={false} />}
      {runs.data?.length === 0 && (
        <div className="empty">Nothing has been imported or synchronised for this user yet.</div>
      )}
    </section>
  );
}
