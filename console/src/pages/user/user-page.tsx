import { useState } from 'react';
import { Navigate, NavLink, Route, Routes, useLocation, useParams } from 'react-router';
import { PageErrorBoundary } from '../../components/broken-page.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { formatInstant, userName } from '../../format.js';
import { useUser } from '../../hooks/use-users.js';
import { usePageTitle } from '../../page-title.js';
import { periodSearch, usePeriod } from '../../period.js';
import { ActivityTab } from './activity-tab.js';
import { ConnectionsTab } from './connections-tab.js';
import { DataTab } from './data-tab.js';
import { DeleteUserDialog } from './delete-user-dialog.js';
import { LastData } from './last-data.js';
import { RunsTab } from './runs-tab.js';
import { SleepTab } from './sleep-tab.js';
import { WorkoutsTab } from './workouts-tab.js';

const TABS = [
  ['activity', 'Activity'],
  ['sleep', 'Sleep'],
  ['workouts', 'Workouts'],
  ['data', 'Data'],
  ['connections', 'Connections'],
  ['runs', 'Runs'],
] as const;

export function UserPage() {
  const { userId = '' } = useParams();
  const { pathname } = useLocation();
  const search = periodSearch(usePeriod());
  const [deleting, setDeleting] = useState(false);
  const user = useUser(userId);
  const tab = TABS.find(([path]) => pathname.endsWith(`/${path}`))?.[1];
  usePageTitle(tab, user.data && userName(user.data));
  if (user.error) return <Problem error={user.error} retry={user.refetch} />;
  if (!user.data) return <Loading />;
  return (
    <>
      <div className="row spread top-aligned">
        <div className="names">
          <h1>{userName(user.data)}</h1>
          <div className="row muted">
            <span className="mono">{user.data.id}</span>
            {user.data.email && <span>{user.data.email}</span>}
            {user.data.time_zone && <span>{user.data.time_zone}</span>}
            <LastData userId={userId} />
            {user.data.last_synced_at && <span>Last synced {formatInstant(user.data.last_synced_at)}</span>}
          </div>
        </div>
        <button type="button" className="danger" onClick={() => setDeleting(true)}>
          Delete user
        </button>
      </div>
      <nav className="tabs" aria-label="Profile">
        {TABS.map(([path, title]) => (
          <NavLink key={path} to={{ pathname: `/users/${userId}/${path}`, search }}>
            {title}
          </NavLink>
        ))}
      </nav>
      <PageErrorBoundary>
        <Routes>
          <Route path="activity" element={<ActivityTab userId={userId} />} />
          <Route path="sleep" element={<SleepTab userId={userId} />} />
          <Route path="workouts" element={<WorkoutsTab userId={userId} />} />
          <Route path="data" element={<DataTab userId={userId} />} />
          <Route path="connections" element={<ConnectionsTab userId={userId} />} />
          <Route path="runs" element={<RunsTab userId={userId} />} />
          <Route path="*" element={<Navigate to={`/users/${userId}/activity`} replace />} />
        </Routes>
      </PageErrorBoundary>
      {deleting && <DeleteUserDialog user={user.data} onClose={() => setDeleting(false)} />}
    </>
  );
}
