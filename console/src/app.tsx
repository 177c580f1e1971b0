import { useSyncExternalStore } from 'react';
import { Link, Navigate, NavLink, Route, Routes } from 'react-router';
import { PageErrorBoundary } from './components/broken-page.js';
import { Loading } from './components/loading.js';
import { LoginPage } from './pages/login/login-page.js';
import { ProvidersPage } from './pages/providers/providers-page.js';
import { RunPage } from './pages/run/run-page.js';
import { RunsPage } from './pages/runs/runs-page.js';
import { UserPage } from './pages/user/user-page.js';
import { UsersPage } from './pages/users/users-page.js';
import { useScrollToTop } from './scroll-to-top.js';
import { session } from './session.js';

/** The frame of every page; without a session, the login in its place. The address stays, so login leads back to it. */
export function App() {
  const active = useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.active,
  );
  useScrollToTop();
  // Neither login nor page while it is not known which: it takes one call.
  const resuming = useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.resuming,
  );
  if (resuming) return <Loading />;
  if (!active) return <LoginPage />;
  return (
    <>
      <header className="top">
        <Link className="brand" to="/users">
          <img src="/healthd.svg" alt="" width="24" height="24" />
          healthd
        </Link>
        <nav className="menu" aria-label="Main">
          <NavLink to="/users">Users</NavLink>
          <NavLink to="/runs">Runs</NavLink>
          <NavLink to="/providers">Providers</NavLink>
          <a href="/docs">API</a>
        </nav>
        <button type="button" className="quiet" onClick={() => void session.logOut()}>
          Log out
        </button>
      </header>
      <main>
        <PageErrorBoundary>
          <Routes>
            <Route path="/users" element={<UsersPage />} />
            <Route path="/users/:userId/*" element={<UserPage />} />
            <Route path="/runs/:runId" element={<RunPage />} />
            <Route path="/runs" element={<RunsPage />} />
            <Route path="/providers" element={<ProvidersPage />} />
            <Route path="*" element={<Navigate to="/users" replace />} />
          </Routes>
        </PageErrorBoundary>
      </main>
    </>
  );
}
