import { ApiError, UnreachableError } from '@healthd/client';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { App, loadPageOf } from './app.js';
import { PageErrorBoundary } from './components/broken-page.js';
import { session } from './session.js';
import { showTheme, storedTheme } from './shell/theme.js';
import { unanswered } from './no-response.js';
import './styles/index.css';

showTheme(storedTheme());

const RETRIES = 2;

/** Ends a session that the service rejects. The login returns to the same URL. */
function onError(error: Error): void {
  if (error instanceof ApiError && error.status === 401 && session.active) session.end('expired');
}

/** True if a retry may succeed. Requests that timed out are not retried automatically. */
function mayRetrySucceed(error: Error): boolean {
  if (error instanceof ApiError) return error.status >= 500;
  return !(error instanceof UnreachableError && error.isLate);
}

const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      unanswered.keepWhatIsShown(error, query);
      onError(error);
    },
    onSuccess: (_, query) => unanswered.readAgain(query),
  }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < RETRIES && mayRetrySucceed(error),
    },
  },
});
queries.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'removed') unanswered.answered(query);
  if (type === 'observerAdded' || type === 'observerRemoved') unanswered.shownOrHidden(query);
});
// Removes cached data before another developer logs in.
session.subscribe(() => {
  if (!session.active) queries.clear();
});

void session.resume(loadPageOf(location.pathname));

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <BrowserRouter>
          <PageErrorBoundary>
            <App />
          </PageErrorBoundary>
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>,
  );
}
