import { ApiError, UnreachableError } from '@healthd/client';

/** An error with what may help: what to do now, and the id by which the service's log is searched. */
export function Problem({ error, retry }: { error: Error; retry?: () => unknown }) {
  return (
    <div className="problem" role="alert">
      <b>{error.message}</b>
      <RequestId error={error} />
      {error instanceof UnreachableError && (
        <p>
          {error.isLate ? 'The service may be busy, or the network is slow.' : 'Check that the service is running.'}
        </p>
      )}
      {retry && !isFinal(error) && (
        <button type="button" onClick={() => void retry()}>
          Try again
        </button>
      )}
    </div>
  );
}

/** By which the service's log is searched; nothing for what was no answer of the service. */
export function RequestId({ error }: { error: Error }) {
  if (!(error instanceof ApiError) || !error.requestId) return null;
  return (
    <p>
      Request <code>{error.requestId}</code>
    </p>
  );
}

/** The same request would be refused again. */
function isFinal(error: Error): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}
