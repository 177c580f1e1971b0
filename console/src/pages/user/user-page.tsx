import { getUser } from '@healthd/api';
import { useQuery } from '@tanstack/react-query';
import { Navigate, NavLink, Route, Routes, useParams } from 'react-router';
import { Problem } from '../../components/problem.js';
import { formatInstant, userName } from '../../format.js';
import { client } from '../../session.js';
import { ActivityTab } from './activity-tab.js';
import { DataTab } from './data-tab.js';
import { RunsTab } from './runs-tab.js';
import { SleepTab } from './sleep-tab.js';
import { WorkoutsTab } from './workouts-tab.js';

const TABS = [
  ['activity', 'Activity'],
  ['sleep', 'Sleep'],
  ['workouts', 'Workouts'],
  ['data', 'Data and sources'],
  ['runs', 'Runs'],
] as const;

export function UserPage() {
  const { userId = '' } = useParams();
  const user = useQuery({
    queryKey: ['user', userId],
    queryFn: ({ signal }) => client.call(getUser, { params: { user_id: userId }, signal }),
  });
  if (user.error) return <Problem error={user.error} />;
  if (!user.data) return null;
  return (
    <>
      <div>
        <h1>{userName(user.data)}</h1>
        <div className="row muted">
          <span className="mono">{user.data.id}</span>
          {user.data.email && <span>{user.data.email}</span>}
          <span>
            {user.data.last_synced_at ? `Last data ${formatInstant(user.data.last_synced_at)}` : 'No data received yet'}
          </span>
        </div>
      </div>
      <nav className="tabs" aria-label="What is known of this user">
        {TABS.map(([path, title]) => (
          <NavLink key={path} to={`/users/${userId}/${path}`}>
            {title}
          </NavLink>
        ))}
      </nav>
      <Routes>
        <Route path="activity" element={<ActivityTab userId={userId} />} />
        <Route path="sleep" element={<SleepTab userId={userId} />} />
        <Route path="workouts" element={<WorkoutsTab userId={userId} />} />
        <Route path="data" element={<DataTab userId={userId} />} />
        <Route path="runs" element={<RunsTab userId={userId} />} />
        <Route path="*" element={<Navigate to={`/users/${userId}/activity`} replace />} />
      </Routes>
    </>
  );
}
