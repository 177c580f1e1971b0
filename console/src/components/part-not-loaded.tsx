import type { PartNotLoadedError } from '../load-part.js';

/** Says why a page or a dialog is missing. The page is loaded again on request only: a form may be half filled in. */
export function PartNotLoaded({ error }: { error: PartNotLoadedError }) {
  return (
    <div className={error.isOutdated ? 'notice' : 'problem'} role="alert">
      <b>{error.isOutdated ? 'A newer version of the console is there.' : 'This could not be loaded.'}</b>
      <p>
        {error.isOutdated
          ? 'What you opened belongs to the version before. Nothing was changed.'
          : 'Is the service running? Nothing was changed.'}
      </p>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}
