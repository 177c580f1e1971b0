import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { BrokenPage } from './broken-page.js';
import { Dialog } from './dialog.js';

/** Around a dialog that is loaded when it is opened: what went wrong is said in its place, and the page stays. */
export function DialogBoundary({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <ErrorBoundary
      fallbackRender={(props) => (
        <Dialog title="Not available" onClose={onClose}>
          <BrokenPage {...props} />
          <div className="row end">
            <button type="button" onClick={onClose}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    >
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  );
}
