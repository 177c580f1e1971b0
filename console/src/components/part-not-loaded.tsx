import type { PartNotLoadedError } from '../load-part.js';

/** Explains why a page or dialog is missing. Reloads only on request, because a form may be partly filled in. */
export function PartNotLoaded({ error }: { error: PartNotLoadedError }) {
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
