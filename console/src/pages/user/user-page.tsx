import { ApiError } from '@healthd/client';
import { Download, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link, Navigate, Route, Routes, useLocation, useParams } from 'react-router';
import { PageErrorBoundary } from '../../components/broken-page.js';
import { loadDialog } from '../../components/load-dialog.js';
import { Loading } from '../../components/loading.js';
import { Problem, RequestId } from '../../components/problem.js';
import { Tabs } from '../../components/tabs.js';
import { formatInstant, notAfterNow, userName } from '../../format.js';
import { useDataSummary } from '../../hooks/use-data.js';
import { useFollowedRuns } from '../../hooks/use-run-stream.js';
import { useExportUser, useUser } from '../../hooks/use-users.js';
import { loadPart } from '../../load-part.js';
import { usePageTitle } from '../../page-title.js';
import { periodSearch, usePeriod } from '../../period.js';
import { Verdicts } from './verdicts/verdicts.js';

// Tabs are loaded on first use.
const DeleteUserDialog = loadDialog(async () => (await import('./delete-user-dialog.js')).DeleteUserDialog);
const ActivityTab = loadPart(async () => (await import('./activity-tab.js')).ActivityTab);
const ExplainPage = loadPart(async () => (await import('./explain/explain-page.js')).ExplainPage);
const ExplainRecoveryPage = loadPart(
  async () => (await import('./explain/explain-health-page.js')).ExplainRecoveryPage,
);
const ExplainBodyPage = loadPart(async () => (await import('./explain/explain-health-page.js')).ExplainBodyPage);
const ChangesTab = loadPart(async () => (await import('./changes-tab.js')).ChangesTab);
const ConnectionsTab = loadPart(async () => (await import('./connections-tab.js')).ConnectionsTab);
const DaysTab = loadPart(async () => (await import('./days/days-tab.js')).DaysTab);
const HealthTab = loadPart(async () => (await import('./health/health-tab.js')).HealthTab);
const WorkoutPage = loadPart(async () => (await import('./workouts/workout-page.js')).WorkoutPage);
const DataTab = loadPart(async () => (await import('./data-tab.js')).DataTab);
const RunsTab = loadPart(async () => (await import('./runs-tab.js')).RunsTab);
const SeriesTab = loadPart(async () => (await import('./series/series-tab.js')).SeriesTab);
const SleepTab = loadPart(async () => (await import('./sleep/sleep-tab.js')).SleepTab);
const NightPage = loadPart(async () => (await import('./sleep/night-page.js')).NightPage);
const WorkoutsTab = loadPart(async () => (await import('./workouts/workouts-tab.js')).WorkoutsTab);

// The default tab is loaded with the page.
void ActivityTab.load();

const TABS = [
  ['activity', 'Activity'],
  ['sleep', 'Sleep'],
  ['workouts', 'Workouts'],
  ['health', 'Health'],
  ['series', 'Series'],
  ['days', 'Days'],
  ['data', 'Data'],
  ['connections', 'Connections'],
  ['runs', 'Runs'],
  ['changes', 'Changes'],
] as const;

export function UserPage() {
  const { userId = '' } = useParams();
  const { pathname } = useLocation();
  const search = periodSearch(usePeriod());
  const [deleting, setDeleting] = useState(false);
  const user = useUser(userId);
  // Shows data that arrives while the page is open, without a reload.
  useFollowedRuns(true);
  const exporting = useExportUser(userId);
  const tab = TABS.find(([path]) => path === pathname.split('/')[3])?.[1];
  usePageTitle(tab, user.data && userName(user.data));
  if (user.error instanceof ApiError && [404, 422].includes(user.error.status))
    return <NoSuchUser userId={userId} error={user.error} />;
  if (user.error) return <Problem error={user.error} retry={user.refetch} />;
  return (
    <>
      {/* The tabs below load without waiting for the user, because each wait counts on a slow connection. */}
      {user.data ? (
        <div className="row spread person-head">
          <h1>{userName(user.data)}</h1>
          <div className="row muted about">
            <span className="mono">{user.data.id}</span>
            {user.data.email && <span>{user.data.email}</span>}
            {user.data.time_zone && <span>{user.data.time_zone}</span>}
            <LastData userId={userId} />
            {user.data.last_synced_at && <span>Last synced {formatInstant(user.data.last_synced_at)}</span>}
          </div>
          <div className="row">
            <button type="button" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
              <Download className="icon" aria-hidden="true" /> {exporting.isPending ? 'Exporting…' : 'Export'}
            </button>
            <button type="button" className="danger" onClick={() => setDeleting(true)}>
              <Trash2 className="icon" aria-hidden="true" /> Delete user
            </button>
          </div>
        </div>
      ) : (
        <Loading height={66} />
      )}
      {exporting.error && <Problem error={exporting.error} />}
      <Verdicts userId={userId} />
      <Tabs
        label="Profile"
        tabs={TABS.map(([path, title]) => ({ title, to: { pathname: `/users/${userId}/${path}`, search } }))}
      />
      <PageErrorBoundary>
        <Suspense fallback={<Loading />}>
          <Routes>
            <Route path="activity" element={<ActivityTab userId={userId} />} />
            <Route path="activity/:date" element={<ExplainPage userId={userId} />} />
            <Route path="sleep" element={<SleepTab userId={userId} />} />
            <Route path="sleep/:sleepId" element={<NightPage userId={userId} />} />
            <Route path="workouts" element={<WorkoutsTab userId={userId} />} />
            <Route path="workouts/:workoutId" element={<WorkoutPage userId={userId} />} />
            <Route path="health" element={<HealthTab userId={userId} />} />
            <Route path="health/recovery/:date" element={<ExplainRecoveryPage userId={userId} />} />
            <Route path="health/body" element={<ExplainBodyPage userId={userId} />} />
            <Route path="days" element={<DaysTab userId={userId} />} />
            <Route path="series" element={<SeriesTab userId={userId} />} />
            <Route path="data" element={<DataTab userId={userId} />} />
            <Route path="connections" element={<ConnectionsTab userId={userId} />} />
            <Route path="runs" element={<RunsTab userId={userId} />} />
            <Route path="changes" element={<ChangesTab userId={userId} />} />
            <Route path="*" element={<Navigate to={`/users/${userId}/activity`} replace />} />
          </Routes>
        </Suspense>
      </PageErrorBoundary>
      {deleting && user.data && <DeleteUserDialog user={user.data} onClose={() => setDeleting(false)} />}
    </>
  );
}

/** Time of the user's newest stored data, not of the last sync. */
function LastData({ userId }: { userId: string }) {
  const { data } = useDataSummary(userId);
  if (!data) return null;
  const newest = Object.values(data.last_seen).sort().at(-1);
  if (newest) return <span>Latest sample {formatInstant(notAfterNow(newest))}</span>;
  return <span>{data.total_sleep_events + data.total_workouts > 0 ? 'No samples yet' : 'No data received yet'}</span>;
}

/** Page for unknown user ids. */
function NoSuchUser({ userId, error }: { userId: string; error: Error }) {
  return (
    <>
      <h1>User not found</h1>
      <div className="card empty" role="alert">
        <code>{userId}</code>
        <p>
          The user may be deleted, or the id incomplete. <Link to="/users">Find a user</Link>
        </p>
        <RequestId error={error} />
      </div>
    </>
  );
}
