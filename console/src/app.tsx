import { Suspense, useSyncExternalStore } from 'react';
import { Route, Routes } from 'react-router';
import { PageErrorBoundary } from './components/broken-page.js';
import { Loading } from './components/loading.js';
import { loadPart } from './load-part.js';
import { LoginPage } from './pages/login/login-page.js';
import { useScrollToTop } from './scroll-to-top.js';
import { session } from './session.js';
import { Shell } from './shell/shell.js';

// Each page is loaded when it is opened first.
const HomePage = loadPart(async () => (await import('./pages/home/home-page.js')).HomePage);
const UsersPage = loadPart(async () => (await import('./pages/users/users-page.js')).UsersPage);
const UserPage = loadPart(async () => (await import('./pages/user/user-page.js')).UserPage);
const ConnectionsPage = loadPart(async () => (await import('./pages/connections/connections-page.js')).ConnectionsPage);
const RunPage = loadPart(async () => (await import('./pages/run/run-page.js')).RunPage);
const RunsPage = loadPart(async () => (await import('./pages/runs/runs-page.js')).RunsPage);
const CoveragePage = loadPart(async () => (await import('./pages/matrix/coverage-page.js')).CoveragePage);
const ProvidersPage = loadPart(async () => (await import('./pages/providers/providers-page.js')).ProvidersPage);
const ProviderPage = loadPart(async () => (await import('./pages/providers/provider-page.js')).ProviderPage);
const PrioritiesPage = loadPart(async () => (await import('./pages/priorities/priorities-page.js')).PrioritiesPage);
const ApiKeysPage = loadPart(async () => (await import('./pages/access/api-keys-page.js')).ApiKeysPage);
const ApplicationsPage = loadPart(async () => (await import('./pages/access/applications-page.js')).ApplicationsPage);
const DevelopersPage = loadPart(async () => (await import('./pages/access/developers-page.js')).DevelopersPage);
const AuditPage = loadPart(async () => (await import('./pages/audit/audit-page.js')).AuditPage);
const SettingsPage = loadPart(async () => (await import('./pages/settings/settings-page.js')).SettingsPage);
const TroublePage = loadPart(async () => (await import('./pages/trouble/trouble-page.js')).TroublePage);
const NotFoundPage = loadPart(async () => (await import('./pages/not-found-page.js')).NotFoundPage);

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
    <Shell>
      <PageErrorBoundary>
        <Suspense fallback={<Loading />}>
          <Routes>
            <Route path="/" element={<HomePage />} />
            <Route path="/users" element={<UsersPage />} />
            <Route path="/users/:userId/*" element={<UserPage />} />
            <Route path="/connections" element={<ConnectionsPage />} />
            <Route path="/runs/:runId" element={<RunPage />} />
            <Route path="/runs" element={<RunsPage />} />
            <Route path="/trouble" element={<TroublePage />} />
            <Route path="/coverage" element={<CoveragePage />} />
            <Route path="/providers" element={<ProvidersPage />} />
            <Route path="/providers/:provider" element={<ProviderPage />} />
            <Route path="/priorities" element={<PrioritiesPage />} />
            <Route path="/api-keys" element={<ApiKeysPage />} />
            <Route path="/applications" element={<ApplicationsPage />} />
            <Route path="/developers" element={<DevelopersPage />} />
            <Route path="/audit" element={<AuditPage />} />
            <Route path="/settings" element={<SettingsPage />} />
            <Route path="*" element={<NotFoundPage />} />
          </Routes>
        </Suspense>
      </PageErrorBoundary>
    </Shell>
  );
}
