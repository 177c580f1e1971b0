import { type ComponentType, Suspense, useEffect, useSyncExternalStore } from 'react';
import { matchPath, Route, Routes, useLocation, useNavigationType } from 'react-router';
import { PageErrorBoundary } from './components/broken-page.js';
import { Loading } from './components/loading.js';
import { WhenLoaded } from './components/when-loaded.js';
import { loadPart } from './load-part.js';
import { session } from './session.js';
import { Shell } from './shell/shell.js';

/** Loaders of the pages by URL. Pages are loaded on first use. */
const PAGES: Readonly<Record<string, () => Promise<ComponentType>>> = {
  '/': async () => (await import('./pages/home/home-page.js')).HomePage,
  '/users': async () => (await import('./pages/users/users-page.js')).UsersPage,
  '/users/:userId/*': async () => (await import('./pages/user/user-page.js')).UserPage,
  '/connections': async () => (await import('./pages/connections/connections-page.js')).ConnectionsPage,
  '/runs/:runId': async () => (await import('./pages/run/run-page.js')).RunPage,
  '/runs': async () => (await import('./pages/runs/runs-page.js')).RunsPage,
  '/trouble': async () => (await import('./pages/trouble/trouble-page.js')).TroublePage,
  '/coverage': async () => (await import('./pages/matrix/coverage-page.js')).CoveragePage,
  '/providers': async () => (await import('./pages/providers/providers-page.js')).ProvidersPage,
  '/providers/:provider': async () => (await import('./pages/providers/provider-page.js')).ProviderPage,
  '/selection': async () => (await import('./pages/selection/selection-page.js')).SelectionPage,
  '/priorities': async () => (await import('./pages/priorities/priorities-page.js')).PrioritiesPage,
  '/api-keys': async () => (await import('./pages/access/api-keys-page.js')).ApiKeysPage,
  '/applications': async () => (await import('./pages/access/applications-page.js')).ApplicationsPage,
  '/developers': async () => (await import('./pages/access/developers-page.js')).DevelopersPage,
  '/erasures/:erasureId': async () => (await import('./pages/erasure/erasure-page.js')).ErasurePage,
  '/audit': async () => (await import('./pages/audit/audit-page.js')).AuditPage,
  '/settings': async () => (await import('./pages/settings/settings-page.js')).SettingsPage,
  '*': async () => (await import('./pages/not-found-page.js')).NotFoundPage,
};
const LoginPage = loadPart(async () => (await import('./pages/login/login-page.js')).LoginPage);
const ROUTES = Object.entries(PAGES).map(([path, read]) => ({ path, Page: loadPart(read) }));

/** Loads the page of a URL without waiting for the session check. */
export async function loadPageOf(pathname: string): Promise<void> {
  await ROUTES.find(({ path }) => matchPath(path, pathname))?.Page.load();
}

/** Renders the page frame, or the login without a session. The URL stays the same, so the login returns to it. */
export function App() {
  const active = useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.active,
  );
  useScrollToTop();
  // Shows neither login nor page until one call has checked the session.
  const resuming = useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.resuming,
  );
  const unreachable = useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.unreachable,
  );
  if (resuming && unreachable) return <ServiceUnreachable />;
  if (resuming) return <Loading />;
  if (!active) {
    return (
      <WhenLoaded part={LoginPage} fallback={<Loading />}>
        <LoginPage />
      </WhenLoaded>
    );
  }
  return (
    <Shell>
      <PageErrorBoundary>
        <Suspense fallback={<Loading />}>
          <Routes>
            {ROUTES.map(({ path, Page }) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
          </Routes>
        </Suspense>
      </PageErrorBoundary>
    </Shell>
  );
}

/** Scrolls to the top after a link. The browser restores the position for back and forward. */
function useScrollToTop(): void {
  const { key } = useLocation();
  const how = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with each navigation
  useEffect(() => {
    if (how === 'PUSH') scrollTo(0, 0);
  }, [key, how]);
}

/** Shown instead of login and page while the service cannot check the session. */
function ServiceUnreachable() {
  return (
    <main className="login">
      <div className="card unreachable" role="status">
        <h1>Service unreachable, retrying…</h1>
        <p className="muted">The page opens when the service responds. You stay logged in.</p>
      </div>
    </main>
  );
}
