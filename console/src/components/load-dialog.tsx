import type { ComponentType } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { loadPart } from '../load-part.js';
import { BrokenPage } from './broken-page.js';
import { Dialog } from './dialog.js';
import { WhenLoaded } from './when-loaded.js';

/** Loads a dialog on first use. Shows loading errors inside the dialog, so that the page keeps its content. */
export function loadDialog<Props extends { onClose: () => void }>(read: () => Promise<ComponentType<Props>>) {
  const part = loadPart(read);
  const Loaded: ComponentType<Props> = part;
  return (props: Props) => (
    <ErrorBoundary
      fallbackRender={(broken) => (
        <Dialog title="Not available" onClose={props.onClose}>
          <BrokenPage {...broken} />
          <div className="row end">
            <button type="button" onClick={props.onClose}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    >
      <WhenLoaded part={part}>
        <Loaded {...props} />
      </WhenLoaded>
    </ErrorBoundary>
  );
}
