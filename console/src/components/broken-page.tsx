import type { ReactNode } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useLocation } from 'react-router';
import { PartNotLoadedError } from '../load-part.js';

/** Error boundary of a page. Resets on navigation. */
export function PageErrorBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary FallbackComponent={BrokenPage} resetKeys={[pathname]}>
      {children}
    </ErrorBoundary>
  );
}

/** Shows the error and the next steps. */
export function BrokenPage({ error, resetErrorBoundary }: FallbackProps) {
  if (error instanceof PartNotLoadedError) return <PartNotLoaded error={error} />;
  return (
    <div className="problem" role="alert">
      <b>This page cannot be displayed.</b>
      <p>
        The console has a bug. Nothing was changed. Reload the page. If the error returns, report it:{' '}
        <code>{error instanceof Error ? error.message : String(error)}</code>
      </p>
      <div className="row">
        <button type="button" onClick={resetErrorBoundary}>
          Try again
        </button>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </div>
  );
}

/** Explains why a page or dialog is missing. Reloads only on request, because a form may be partly filled in. */
function PartNotLoaded({ error }: { error: PartNotLoadedError }) {
  return (
    <div className={error.isOutdated ? 'notice' : 'problem'} role="alert">
      <b>{error.isOutdated ? 'A new version of the console is available.' : 'Cannot load this part of the console.'}</b>
      <p>
        {error.isOutdated
          ? 'This page is from an older version. Nothing was changed. Reload to continue.'
          : 'Nothing was changed. Check that the service is running.'}
      </p>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}
